/** Absence covers: who covers for whom, when and in which processes. */
export const absence = {
  intro:
    '请假期间，指派给您的新任务由代办人办理；角色、班组和岗位的任务不受影响。结束时未办理的任务退回给您。',
  processesHint: '不选时适用于全部流程。',
  handsOverHint: '开始时把正在办理的任务一并交给代办人，未办理的在结束时退回。',
  userHint: '不选时为您本人。',
  period: '{{from}} 至 {{until}}',
  now: '代办中',
  later: '未开始',
  over: '已结束',
  empty: '没有请假代办',
  emptyHint: '请假前在此指定代办人。',
};
