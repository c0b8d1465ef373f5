/** The server's limits; written by scripts/javascript_types.py. */

export const IDLE_CAP_MS = 60000;
export const MAX_AGE_MS = 2592000000;
export const MAX_ATTRIBUTES = 50;
export const MAX_BOOKMARKS = 100;
export const MAX_CONTENT = 20000;
export const MAX_CALCULATIONS = 5;
export const MAX_EVENTS = 200;
export const MAX_EXPRESSION = 200;
export const MAX_FIND_TEXT = 200;
export const MAX_REASON = 2000;
export const MAX_SCRATCHPAD = 5000;
export const MAX_SEEN_MS = 86400000;
export const MAX_TEXT = 20000;
export const MAX_TRANSCRIPT = 200000;
export const MAX_VARIANTS = 500;
export const MIN_SEEN_MS = 400;
export const RESULT_DECIMALS = 10;
