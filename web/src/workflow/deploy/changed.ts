/** The queries that are out of date once a model has changed: it is seen in all of these lists. */
export const CHANGED = [['flow'], ['flow.model'], ['flow.manager'], ['flow.follow']] as const;
