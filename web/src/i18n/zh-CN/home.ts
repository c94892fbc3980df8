/** The first page. */
export const home = {
  title: '首页',
  hello: '{{name}}，你好',
  todo: '待我处理',
  claim: '可以接的',
  reported: '我的报修',
  figures: '维修工单概况',
  late: '已超时',
  messages: '消息',
  all: '全部{{n}}项',
  none: {
    todo: '没有等你处理的事项',
    claim: '没有可以接的任务',
    reported: '没有进行中的报修',
    messages: '没有新消息',
  },
  readAll: '全部已读',
  markRead: '标为已读：{{title}}',
  ago: '到达 {{time}}',
};
