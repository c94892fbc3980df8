/** One's own account. */
export const info = {
  edit: '编辑信息',
  password: '修改密码',
  avatar: '更换头像',
  avatarTip: '只能上传jpg/png文件，且不超过500kb',
  name: '用户昵称',
  realName: '姓名',
  realNameHint: '姓名由管理人员账号的人修改',
  phone: '手机号码',
  phoneLength: '手机号码长度不为11位',
  phoneFormat: '手机号码格式不正确',
  email: '邮箱',
  messages: '消息',
  digest: '每天早上发送每日摘要',
  digestHint:
    '在7:30发到消息中：待处理和可领取的任务、可做的点检、即将到期的和昨天以来的异常；没有时不发送。',
};
