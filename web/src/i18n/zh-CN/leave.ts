/** Leave: the form, its page and the list of all. */
export const leave = {
  title: '请假申请',
  keyword: '申请人、单号',
  approverHead: '部门负责人：{{name}}',
  approverHint: '不选时由部门负责人审批。',
  cover: '设置请假代办',
  approverNone: '您的部门没有负责人，请选择审批人',
};
