/** The machine register. */
export const machines = {
  title: '设备台账',
  tree: '设备树',
  empty: '这里还没有设备',
  emptyHint: '先登记一台设备，扫码报修和巡检都从它开始。',
  emptyNoRight: '请联系设备主管登记设备。',
  stopped: '{{n}}台停机',
  lastRepairs: '查看维修记录',
  removeHint: '删除后不能恢复。',
  groups: { identity: '基本信息', place: '位置与归属', people: '责任人' },
  runStateHint: '故障、维修、保养由流程自动改变',
};
