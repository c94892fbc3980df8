/** The first page. */
export const home = {
  hello: '{{name}}，您好',
  todo: '待我处理',
  reported: '我的报修',
  figures: '维修工单概况',
  orders: '查看全部维修工单',
  late: '超时',
  messages: '消息',
  all: '全部{{n}}项',
  none: {
    todo: '没有待办任务',
    orders: '没有未完成的维修工单。',
    reported: '没有进行中的报修',
    messages: '没有新消息',
    soon: '没有即将到期的事项',
    wrong: '没有异常',
  },
  soon: '即将到期',
  wrong: '昨天以来的异常',
  between: '、',
  when: {
    tasks: '截止 {{time}}',
    requests: '提交于 {{time}}',
  },
  readAll: '全部已读',
  markRead: '标为已读：{{title}}',
  ago: '到达 {{time}}',
};
