/** Leave: the form. */
export const leave = {
  endFirst: '结束时间必须晚于开始时间',
  daysHint: '上午、下午各算半天，以12:00为界。',
  daysCount: '共{{n}}天（上午、下午各算半天，以12:00为界）。',
  approverHead: '部门负责人：{{name}}',
  approverHint: '不选时由部门负责人审批。',
  approverNone: '您的部门没有负责人，请选择审批人',
};
