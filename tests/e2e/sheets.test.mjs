// A sheet of many rows as people import it: the dialog goes over to the background by itself, and wrong rows come back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
/** 1,200 assets, of which one has no name and one stands twice. */
const SHEET = `
import sys
from openpyxl import Workbook
book = Workbook()
book.active.append(["设备编号", "设备名称", "节点类型", "使用部门"])
for n in range(1200):
    book.active.append([f"{sys.argv[2]}{n:04d}", f"厂区{n}" if n != 7 else "", "厂区", sys.argv[3]])
book.active.append([f"{sys.argv[2]}0000", "又一", "厂区", sys.argv[3]])
book.save(sys.argv[1])
`;
const WORDS = {
  'zh-CN': {
    open: /导入/,
    wait: '可以关闭此窗口',
    ended: '导入已结束。',
    counts: '新增1199 · 更新0 · 未导入2',
    load: /下载未导入的行/,
  },
  'en-US': {
    open: /Import/,
    wait: 'You can close this window',
    ended: 'The import has ended.',
    counts: 'Added: 1199 · Updated: 0 · Not imported: 2',
    load: /Download rows not imported/,
  },
};

const { faults, person, call, data } = stage();

/** As `look`, of the window alone: a picture of the whole page lays the tree out anew, and closes what was chosen. */
const glance = (page, name) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : undefined;

for (const language of languages('zh-CN'))
  test(`1,200 rows are imported in the background and two come back (${language})`, async () => {
    const words = WORDS[language];
    const mark = language === 'zh-CN' ? 'Z' : 'E';
    const [dept] = await call('qian.w', 'blade-system/dept/tree');
    const file = join(data(), `${mark}.xlsx`);
    execFileSync(python, ['-c', SHEET, file, mark, dept.title]);
    const page = await person('qian.w', DESK, language);
    await page.goto('/equip/machine');
    await settled(page);
    await page.getByRole('button', { name: words.open }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(file);
    await glance(page, `import-1-${language}`);
    await dialog.locator('.ant-modal-footer .ant-btn-primary').click();
    await dialog.getByText(words.wait).waitFor();
    await glance(page, `import-2-${language}`);
    await dialog.getByText(words.ended).waitFor({ timeout: 60_000 });
    await dialog.getByText(words.counts).waitFor();
    assert.deepEqual(await findings(page), []);
    await glance(page, `import-3-${language}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: words.load }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.xlsx$/);
    await page.goto('/desk/sheet');
    await page.getByText(words.counts).first().waitFor();
    await glance(page, `import-4-${language}`);
    await page.setViewportSize({ width: 992, height: 768 });
    await settled(page);
    await glance(page, `import-5-${language}`);
    await page.setViewportSize(PHONE);
    await settled(page);
    await glance(page, `import-6-${language}`);
    assert.deepEqual(await findings(page), []);
    // The first try, which is refused because of its many rows.
    assert.deepEqual(
      faults.splice(0).filter((fault) => !fault.endsWith('status of 400 (Bad Request)')),
      [],
    );
  });
