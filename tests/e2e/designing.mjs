// What tests of the designer share: elements of the canvas, and choices in the panel.

/** An element on the canvas, by its id. */
export const element = (page, id) => page.locator(`.x-designer-canvas .djs-element[data-element-id="${id}"]`);

/** A choice from a list that opens below its field; the list is gone when the next one opens. */
export async function choose(page, field, text, typed) {
  await field.click();
  if (typed) await field.fill(typed);
  const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  await list.locator('.ant-select-item-option').filter({ hasText: text }).first().click();
  await list.waitFor({ state: 'hidden' });
}
