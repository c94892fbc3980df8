/** What the keyboard does, in the dialog that `?` opens. */
export const keys = {
  title: '快捷键',
  search: '查找当前列表',
  menu: '查找菜单',
  rows: '下一行、上一行',
  open: '打开选中的行',
  choose: '勾选当前行',
  agree: '待办列表、任务页：同意或通过',
  refuse: '待办列表、任务页：驳回或拒绝',
  transfer: '待办列表、任务页：转办',
  send: '提交表单',
  leave: '关闭弹窗或表单',
  help: '显示快捷键',
};
