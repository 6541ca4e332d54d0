"""The layout of a panel's memory.

It has 8 pages of 128 columns, a byte for each, with the top row of the page in bit 0 (SSD1306 data
sheet, graphic display data RAM).
"""

COLUMNS = 128
PAGES = 8
PAGE_ROWS = 8
ROWS = PAGES * PAGE_ROWS
MEMORY_BYTES = COLUMNS * PAGES
