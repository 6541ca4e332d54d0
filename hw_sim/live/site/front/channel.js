// What the pages and the table of one site agree on: the name of their channel, which no other site has.
export const CHANNEL = `maexchen ${new URL("..", import.meta.url).pathname}`;
export const STORED_MS = 1_000; // a table is kept this often
