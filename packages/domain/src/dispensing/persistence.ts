/** Nothing of a medicine for so many days, and it begins anew. */
export const LOOK_BACK_DAYS = 365
/** Whoever has none for more days than this after running out has stopped. */
export const GAP_DAYS = 90
