// The process designer in a real browser: drawing that is saved by itself, checked, mended, never lost; in both languages.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { element } from './designing.mjs';
import { oneStep } from './drawings.mjs';
import { DESK, findings, settled } from './harness.mjs';
import { stage } from './stage.mjs';

/** Both may draw: the flow designer, and the administrator, who may everything. */
const DESIGNER = 'gao.l';
const OTHER = 'zhao.m';
const { call, faults, look, person } = stage();

/** What is drawn first without a name. */
const drawn = (page) => element(page, 'userTask_1');
const saving = (page) => page.locator('.x-designer-saving');
const tool = (page, name) => page.locator('.x-designer-tools').getByRole('button', { name, exact: true });
const dialog = (page, title) => page.getByRole('dialog').filter({ hasText: title });

/** A click on its middle; a level line has no height, so that the driver takes it for hidden. */
async function press(page, id) {
  await element(page, id).waitFor({ state: 'attached' });
  const { x, y, width, height } = await element(page, id).evaluate((one) =>
    one.getBoundingClientRect().toJSON(),
  );
  await page.mouse.click(x + width / 2, y + height / 2);
}

async function draft(key, xml = oneStep(key)) {
  const saved = await call(DESIGNER, 'blade-flow/model/submit', {
    name: '外出登记',
    modelKey: key,
    category: 'flow_1',
    xml,
  });
  return saved.id;
}
const stored = (id) => call(DESIGNER, `blade-flow/model/detail?id=${id}`);

async function design(page, id) {
  await page.goto(`/flow/model/design/${id}`);
  await element(page, 'approve').waitFor();
  await settled(page);
}

/** Selects an element and draws a user task behind it, as the pad beside the element offers. */
async function append(page, id) {
  await element(page, id).click();
  await page.locator('.djs-context-pad.open [data-action="append.userTask"]').click();
  await drawn(page).waitFor();
  // What it is called may be typed at once; the name comes later here.
  await page.keyboard.press('Escape');
}

/** Chinese in what an English page shows or says to a reader; keys of texts in either. */
function wrongWords(page, names) {
  return page.evaluate((given) => {
    const found = new Set();
    const look = (text) => {
      const bare = given.reduce((rest, name) => rest.replaceAll(name, ''), text ?? '');
      if (/[\u4e00-\u9fff]/.test(bare)) found.add(bare.trim().slice(0, 60));
      if (/\b(designer|panel|dryrun|kit|flow|compare)\.[a-z]\w*(\.\w+)*\b/.test(bare))
        found.add(bare.trim().slice(0, 60));
    };
    const walker = document.createTreeWalker(document.querySelector('.x-designer'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement.checkVisibility()) look(walker.currentNode.data);
    }
    for (const popup of document.querySelectorAll(
      '.ant-modal, .ant-dropdown, .djs-popup, .djs-context-pad',
    )) {
      look(popup.innerText);
    }
    for (const one of document.querySelectorAll(
      '.x-designer [title], .djs-popup [title], .x-designer [aria-label]',
    )) {
      if (!one.checkVisibility()) continue;
      look(one.getAttribute('title'));
      look(one.getAttribute('aria-label'));
    }
    return [...found];
  }, names);
}

test('what is drawn is saved by itself, taken back, and there again after a reload', async () => {
  const id = await draft('e2eDrawn');
  const page = await person(DESIGNER);
  await design(page, id);
  await append(page, 'approve');
  await saving(page)
    .getByText(/\d\d:\d\d:\d\d 已保存/)
    .waitFor();
  const saved = await stored(id);
  assert.equal(saved.version, 2);
  assert.match(saved.xml, /<(bpmn:)?userTask id="userTask_1"/);

  await tool(page, '撤销').click();
  await drawn(page).waitFor({ state: 'detached' });
  await page.waitForFunction(
    () => !document.querySelector('.x-designer-saving')?.textContent.includes('保存中'),
  );
  await tool(page, '重做').click();
  await drawn(page).waitFor();
  await saving(page)
    .getByText(/\d\d:\d\d:\d\d 已保存/)
    .waitFor();
  await page.reload();
  await drawn(page).waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'designer');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('the panel stays with what is dragged', async () => {
  const id = await draft('e2eDragged');
  const page = await person(DESIGNER);
  await design(page, id);
  await element(page, 'approve').click();
  const heading = page.locator('.x-props h2');
  await heading.getByText('审批').waitFor();
  const box = () => element(page, 'approve').evaluate((one) => one.getBoundingClientRect().toJSON());
  const { x, y, width, height } = await box();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 4; step++) await page.mouse.move(x + width / 2, y + height / 2 + step * 20);
  await page.locator('svg.djs-drag-active').waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  assert.equal(await heading.textContent(), '审批', 'while it is dragged');
  await page.mouse.up();
  await page.locator('svg.djs-drag-active').waitFor({ state: 'detached' });
  await settled(page);
  assert.ok((await box()).y > y + 40, 'it is further down');
  assert.equal(await heading.textContent(), '审批', 'when it lies there');
  await page.locator('.djs-element.selected[data-element-id="approve"]').waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a problem leads to its element, and is mended with one press', async () => {
  const id = await draft('e2eMended');
  const page = await person(DESIGNER);
  await design(page, id);
  await press(page, 'approve_done');
  await page.keyboard.press('Delete');
  await element(page, 'approve_done').waitFor({ state: 'detached' });
  const count = page.locator('.x-designer-count');
  await count.getByText('0个错误，3个警告').waitFor();
  await count.click();
  const problem = (text) => page.locator('.x-designer-problems li').filter({ hasText: text });
  await problem('没有出线').locator('.x-designer-jump').press('Enter');
  await page.locator('.djs-element.selected[data-element-id="approve"]').waitFor();
  await look(page, 'designer-problems');
  assert.deepEqual(await findings(page), []);
  await problem('无法到达该元素').getByRole('button', { name: '从“审批”连线到此' }).click();
  await count.getByText('0个错误，1个警告').waitFor();
  await saving(page)
    .getByText(/已保存/)
    .waitFor();
  assert.match((await stored(id)).xml, /id="flow_1" sourceRef="approve" targetRef="done"/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('an export gives back on import what was drawn', async () => {
  const [id, other] = [await draft('e2eExported'), await draft('e2eImported')];
  const page = await person(DESIGNER);
  await design(page, id);
  const more = page.getByRole('button', { name: '更多' });
  await more.click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: '导出BPMN' }).click();
  const file = await (await download).path();
  assert.match(await readFile(file, 'utf8'), /candidates="role:tenant_admin"/);

  await design(page, other);
  await element(page, 'approve').click();
  await page.keyboard.press('Delete');
  await element(page, 'approve').waitFor({ state: 'detached' });
  await more.click();
  await page.getByRole('menuitem', { name: '导入文件…' }).click();
  const importing = dialog(page, '导入文件');
  const buffer = await readFile(file);
  await importing
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.bpmn', mimeType: 'application/xml', buffer });
  await importing.getByText('流程标识由“e2eExported”改为本模型的“e2eImported”。').waitFor();
  await importing.getByRole('button', { name: '替换画布' }).click();
  await element(page, 'approve').waitFor();
  await saving(page)
    .getByText(/已保存/)
    .waitFor();
  const plain = (xml) => xml.replaceAll(/e2e\w+/g, '').replaceAll(/\s+/g, ' ');
  assert.equal(plain((await stored(other)).xml), plain(await readFile(file, 'utf8')));
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('whoever saves second decides, and neither drawing is lost', async () => {
  const id = await draft('e2eBoth');
  const first = await person(DESIGNER);
  // The refusal it is about is a complaint of the browser too.
  const second = await person(OTHER, DESK, 'zh-CN', { complaints: [] });
  await design(first, id);
  await design(second, id);
  await append(first, 'approve');
  await saving(first)
    .getByText(/\d\d:\d\d:\d\d 已保存/)
    .waitFor();
  await append(second, 'start');
  const conflict = dialog(second, '他人已先保存');
  await conflict.getByText(/完成了第2次保存，您的修改基于第1次保存/).waitFor();
  assert.deepEqual(await findings(second), []);
  await look(second, 'designer-conflict');
  const theirs = (await stored(id)).xml;
  await conflict.getByLabel('新的流程标识').fill('e2eBoth2');
  await conflict.getByRole('button', { name: '另存为新的模型' }).click();
  await second.waitForURL(
    (url) => url.pathname.startsWith('/flow/model/design/') && !url.pathname.endsWith(id),
  );
  await drawn(second).waitFor();
  const mine = await stored(second.url().split('/').pop());
  assert.match(mine.xml, /sourceRef="start" targetRef="userTask_1"/);
  const kept = await stored(id);
  assert.deepEqual([kept.xml, kept.version], [theirs, 2]);
  assert.deepEqual(faults, []);
  await first.context().close();
  await second.context().close();
});

test('a service task sends a message: what it gives is asked by kind, checked at once, and tried', async () => {
  const calling = '<serviceTask id="approve" name="通知" xw:nameEn="Tell" xw:operation="leave.passedOn"';
  const id = await draft(
    'e2eTold',
    oneStep('e2eTold').replace(/<userTask id="approve"[^>]*(?= \/>)/, calling),
  );
  const page = await person(DESIGNER, DESK, 'en-US');
  await design(page, id);
  await press(page, 'approve');
  const panel = page.locator('.x-props');
  await panel.getByRole('alert').filter({ hasText: 'Operation “leave.passedOn” does not exist' }).waitFor();
  const choose = async (label, option) => {
    await panel.getByLabel(label, { exact: true }).click();
    await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
  };
  await choose('Operation', 'Send a message');
  await panel.getByRole('alert').filter({ hasText: 'The parameter “Recipients” is missing' }).waitFor();
  await look(page, 'designer-operation');
  // What the panel says, the server says too.
  await panel
    .getByLabel('Problems of this element')
    .getByText('The parameter “Recipients” is missing')
    .waitFor();
  await panel.getByRole('button', { name: 'Add a rule' }).click();
  await choose('Role', 'Repair leader');
  const title = panel.getByLabel('Title', { exact: true });
  await title.fill('#{starter.name');
  await title.blur();
  await panel.getByRole('alert').filter({ hasText: 'syntax error' }).waitFor();
  await title.fill('#{starter.name} is out');
  await title.blur();
  await panel.getByRole('alert').first().waitFor({ state: 'detached' });
  await panel.getByLabel('Problems of this element').waitFor({ state: 'detached' });
  await saving(page).getByText(/Saved/).waitFor();
  const { xml } = await stored(id);
  assert.match(xml, /<xw:parameter name="to">role:repair_leader<\/xw:parameter>/);
  assert.match(xml, /<xw:parameter name="title">#\{starter\.name\} is out<\/xw:parameter>/);
  assert.deepEqual(await wrongWords(page, ['高岚']), []);
  assert.deepEqual(await findings(page), []);
  await look(page, 'designer-operation-filled');

  await page.locator('.x-designer-tabs').getByRole('button', { name: 'Dry run', exact: true }).click();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const told = page.getByRole('region', { name: 'Log' });
  await told.getByText('Role “Repair leader”').waitFor();
  await told.getByText('高岚 is out').waitFor();
  await look(page, 'designer-operation-tried');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('the properties fold and resize and stay so; what is typed on the canvas is not lost', async () => {
  const id = await draft('e2eFolded');
  const page = await person(DESIGNER);
  await design(page, id);
  const panel = page.locator('.x-designer-panel');
  const width = async () => Math.round((await panel.boundingBox()).width);
  const usual = await width();
  await element(page, 'approve').dblclick();
  const typed = page.locator('.djs-direct-editing-content');
  await typed.fill('班组长审批');
  // A window of another size is no reason to end it, although the library brings what is chosen into sight: it
  // looks 0.3 s after a choice whether that was in sight before.
  await page.waitForTimeout(500);
  await page.setViewportSize({ width: 992, height: 700 });
  await settled(page);
  assert.equal(await typed.textContent(), '班组长审批');
  await page.setViewportSize(DESK);
  await panel.getByRole('button', { name: '收起属性面板' }).click();
  await page.locator('.x-props').waitFor({ state: 'hidden' });
  assert.equal(await width(), 40);
  await saving(page)
    .getByText(/已保存/)
    .waitFor();
  await page.reload();
  await element(page, 'approve').waitFor();
  await page.locator('.x-designer-fold').waitFor();
  assert.equal(await width(), 40);
  assert.deepEqual(await findings(page), []);
  await look(page, 'designer-folded');
  await page.keyboard.press('p');
  await page.locator('.x-props').waitFor();
  assert.equal(await width(), usual);

  const edge = panel.getByRole('separator');
  const { x, y } = await edge.boundingBox();
  await page.mouse.move(x + 5, y + 100);
  await page.mouse.down();
  await page.mouse.move(x - 95, y + 100, { steps: 4 });
  await page.mouse.up();
  assert.equal(await width(), usual + 100);
  await edge.press('ArrowRight');
  assert.equal(await width(), usual + 84);
  await page.reload();
  await panel.waitFor();
  assert.equal(await width(), usual + 84);
  // In a small window the canvas keeps its part.
  await page.setViewportSize({ width: 992, height: 700 });
  await edge.press('End');
  const room = await page.locator('.x-designer-body').boundingBox();
  assert.ok((await width()) <= room.width * 0.6 + 1);
  await page.setViewportSize(DESK);
  await edge.dblclick();
  assert.equal(await width(), usual);
  assert.match((await stored(id)).xml, /name="班组长审批"/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a field begins with a key that may stand and names in both languages; its files are tried, not sent', async () => {
  const id = await draft('e2eFields');
  const page = await person(DESIGNER);
  const sent = [];
  page.on('request', (request) => request.url().includes('put-file') && sent.push(request.url()));
  await design(page, id);
  await element(page, 'start').click();
  await page.locator('.x-props').getByLabel('表单', { exact: true }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: '新建表单' }).click();
  const editor = page.locator('.x-form-editor');
  for (const name of ['设备', '附件/照片', '单行文字', '多行文字', '数字', '人员', '部门', '日期时间'])
    await editor.locator('.x-form-palette button').filter({ hasText: name }).click();
  assert.equal(await editor.locator('.x-entry-fault').count(), 0);
  await editor.getByText('电脑预览').click();
  const file = { name: '现场.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') };
  await editor.locator('input[type=file]').setInputFiles(file);
  await editor.getByText('现场.jpg').waitFor();
  await editor.locator('.x-form-editor-tools .ant-btn-primary').click();
  await editor.waitFor({ state: 'detached' });

  // However long the form is and however low the window, the button that begins is in sight.
  await page.locator('.x-designer-tabs').getByText('试运行').click();
  const begin = page.getByRole('button', { name: '开始试运行' });
  await begin.waitFor();
  for (const width of [1440, 992, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await settled(page);
    const box = await begin.boundingBox();
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const hit = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('button')?.textContent,
      place,
    );
    assert.match(hit ?? '', /开始试运行/, `at ${width}`);
    await look(page, `designer-begin-${width}`);
  }
  // On a phone the properties are a sheet.
  await page.locator('.x-designer-tabs').getByText('属性').click();
  const sheet = page.getByRole('dialog').filter({ hasText: '属性' });
  await sheet.locator('.x-props').waitFor();
  await look(page, 'designer-sheet');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await page.setViewportSize(DESK);
  await page.locator('.x-designer-tabs').getByText('试运行').click();
  await page.locator('.x-run-begin input[type=file]').setInputFiles(file);
  await begin.click();
  await page.locator('.x-run-values').getByText('现场.jpg').waitFor();
  assert.deepEqual(sent, []);
  await saving(page)
    .getByText(/已保存/)
    .waitFor();
  const { xml } = await stored(id);
  assert.match(xml, /"key":"asset_1","label":"设备","properties":{"labelEn":"Asset"}/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('everything the designer says is in English there', async () => {
  const id = await draft('e2eEnglish');
  const page = await person(DESIGNER, DESK, 'en-US');
  await design(page, id);
  const found = [];
  const at = async (where) => {
    await settled(page);
    for (const word of await wrongWords(page, ['高岚'])) found.push(`${where}: ${word}`);
    for (const finding of await findings(page)) found.push(`${where}: ${finding}`);
  };
  await page.getByText('Going out').first().waitFor();
  await at('the process');
  for (const one of ['start', 'approve', 'done', 'approve_done']) {
    await press(page, one);
    await at(one);
  }
  await element(page, 'approve').click();
  for (const menu of ['append', 'replace']) {
    await page.locator(`.djs-context-pad.open [data-action="${menu}"]`).click();
    await page.locator('.djs-popup').waitFor();
    await at(`menu ${menu}`);
    await page.keyboard.press('Escape');
    await page.locator('.djs-popup').waitFor({ state: 'detached' });
  }
  await page.locator('.x-designer-count').click();
  await at('problems');
  await tool(page, 'Keyboard').click();
  await dialog(page, 'Keyboard').waitFor();
  await at('keys');
  await page.keyboard.press('Escape');
  assert.deepEqual(found, []);
  assert.deepEqual(faults, []);
});
