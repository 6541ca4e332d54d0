// What the pages and the table of one site agree on: the name of their channel, which no other site has.
// ``table``: which of the site's tables; the usual one has no name.
export const channelOf = (table) => `maexchen ${new URL("..", import.meta.url).pathname}${table && ` ${table}`}`;
export const STORED_MS = 1_000; // a table is kept this often
