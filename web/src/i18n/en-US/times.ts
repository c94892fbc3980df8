/** The times of a model on its drawing. */
import type { Texts } from '../zh-CN';
import type { times as zh } from '../zh-CN/times';

export const times: Texts<typeof zh> = {
  measure: 'Measure',
  by: {
    count: 'Times done',
    medianSeconds: 'Median',
    p90Seconds: 'Nine in ten within',
    waiting: 'Waiting now',
    overdue: 'Overdue',
  },
  longest: 'Longest',
  legend: 'Legend',
  cold: 'Nothing is known of this measure yet',
  count: '{{n}}×',
  seconds: '{{n}} s',
  allVersions: 'All versions',
  window: 'Window',
  started: 'Started',
  ended: 'Ended',
  runningNow: 'Running now',
  whole: 'Median from start to end',
  none: 'Nothing was done in this time',
  noneHint: 'Choose another window or version, or let the process run for a while.',
  gone: '(not in this version)',
};
