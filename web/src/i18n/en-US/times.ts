/** The times of a model on its drawing. */
import type { Texts } from '../zh-CN';
import type { times as zh } from '../zh-CN/times';

export const times: Texts<typeof zh> = {
  measure: 'Measure',
  by: {
    count: 'Completions',
    medianSeconds: 'Median',
    p90Seconds: 'P90 duration',
    waiting: 'Open now',
    overdue: 'Overdue',
  },
  longest: 'Longest',
  legend: 'Legend',
  cold: 'No data for this measure yet',
  count: '{{n}}×',
  seconds: '{{n}} s',
  allVersions: 'All versions',
  window: 'Period',
  started: 'Started',
  ended: 'Ended',
  runningNow: 'Running now',
  whole: 'Median from start to end',
  none: 'No completed tasks in this period',
  noneHint: 'Choose another period or version.',
  gone: '(not in this version)',
};
