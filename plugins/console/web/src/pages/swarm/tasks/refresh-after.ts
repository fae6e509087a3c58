/** Tasks have no events, and their containers may be on other nodes. */
export const refreshAfter = 2_000;
