/** Dictionaries, regions, attachments. */
export const system = {
  sealed: '封存',
  chooseDictionary: '选择一个字典查看它的值',
  addValue: '新增字典值',
  noValues: '还没有字典值',
  region: {
    pane: '行政区划',
    parentHint: '上级区划的编号，全国为 00',
    levelHint: '留空则取上级的下一级',
    removeHint: '有下级的区划不能删除。',
  },
  param: {
    valueHint: '修改后对本企业立即生效。',
    byPriority: '请依次填写特急、紧急、一般三个整数，用英文逗号分隔，每个在{{a}}到{{b}}之间',
    removeHint: '系统参数只会恢复为默认值，其他参数将被删除。',
  },
  noFiles: '还没有附件',
  noFilesHint: '上传的文件和单据中的图片、附件显示在这里。',
  releaseHint: '留空则立即发布；到发布时间前，只有能编辑通知的人看得到。',
  upload: '上传文件',
  download: '下载',
  open: '打开',
};
