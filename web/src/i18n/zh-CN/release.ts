/** Releases of the product, for the dialog in the header. */
export const release = {
  none: '暂无版本说明',
  older: '历史版本',
  published: '{{time}} 发布',
};
