/** The drawing library's own words, by the English ones that it asks with. */
export const libraryZh: Readonly<Record<string, string>> = {
  'Align elements': '对齐',
  'Align elements left': '左对齐',
  'Align elements center': '水平居中',
  'Align elements right': '右对齐',
  'Align elements top': '顶部对齐',
  'Align elements middle': '垂直居中',
  'Align elements bottom': '底部对齐',
  'Distribute elements horizontally': '水平等距',
  'Distribute elements vertically': '垂直等距',
  'Open {element}': '打开{element}',
  'Search in diagram': '在图中查找',
  'Open minimap': '打开缩略图',
  'Close minimap': '收起缩略图',
  'flow elements must be children of pools/participants': '流程元素须放在泳池内',
  'Data object must be placed within a pool/participant.': '数据对象须放在泳池内',
};
