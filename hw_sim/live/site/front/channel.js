// What the pages and the table of one site agree on: the name of their channel, which no other site has.
// ``table``: which of the site's tables; the usual one has no name.
export const channelOf = (table) => `maexchen ${new URL("..", import.meta.url).pathname}${table && ` ${table}`}`;
// A page beside this one, by its name, or by what stands behind this one's name.
export const pageAt = (page) => new URL(page.startsWith("?") || !page ? `./${page}` : `${page.split("/")[0]}.html`, new URL(".", location.href));
export const STORED_MS = 1_000; // a table is kept this often
