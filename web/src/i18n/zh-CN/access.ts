/** Roles, menus and scopes. */
export const access = {
  grant: '权限设置',
  grantTo: '权限设置：{{name}}',
  topGrant: '菜单配置',
  topGrantTo: '菜单配置：{{name}}',
  menu: '菜单权限',
  dataScope: '数据权限',
  apiScope: '接口权限',
  nothing: '没有可以授予的内容',
  linked: '上下级联动',
  all: '全选',
  none: '清空',
  ticked: '已选{{n}}项',
  menus: '菜单',
  json: '请输入 JSON 对象，如 {"keepAlive": true}',
  scopeValueHint: '仅用于自定义：用列表自己的筛选条件书写，如 status=1&urgency_ge=3',
  scopePathHint: '接口地址，如 /blade-system/post/remove；以 /** 结尾表示其下全部接口',
  groups: {
    what: '基本信息',
    where: '路由与展示',
    router: '附加参数',
  },
};
