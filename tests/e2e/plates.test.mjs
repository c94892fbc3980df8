// Plates: labels as PDF, a scan on the phone by the camera and by hand, a report by somebody without an account, required fields.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const KEEPER = 'qian.w';
const OPERATOR = 'qin.y';
const TAGS = 'yuzhu-equip/equiptags';

const { call, faults, look, person, stranger } = stage();

const plateOf = async (code) => {
  const [machine] = (await call(KEEPER, `yuzhu-equip/inspectmachine/list?machineCode=${code}`)).records;
  const rows = (await call(KEEPER, `${TAGS}/list?isPlate=1&bindId=${machine.id}`)).records;
  return { machine, plate: rows[0] };
};

test('the keeper prints labels as a PDF, which is counted', async () => {
  const page = await person(KEEPER, DESK);
  await page.goto('/equip/plate');
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'plates-desk');
  const row = page.locator('tbody tr.ant-table-row').first();
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: '打印标签' }).click();
  await page.getByTestId('label').waitFor();
  await look(page, 'plates-label');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '生成 PDF' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), '标签-50x30.pdf');
  const content = await readFile(await file.path());
  if (process.env.SHOTS) await file.saveAs(`${process.env.SHOTS}/label.pdf`);
  assert.equal(content.subarray(0, 8).toString(), '%PDF-1.4');
  assert.match(content.toString('latin1'), /MediaBox \[0 0 141\.732 85\.039\]/);
  const printed = (await call(KEEPER, `${TAGS}/list?isPlate=1&printCount=2`)).records;
  assert.equal(printed.length, 1);
  const phone = await person(KEEPER, PHONE, 'en-US');
  for (const [path, name] of [
    ['/equip/plate', 'plates-phone'],
    ['/base/required', 'required-phone'],
  ]) {
    await phone.goto(path);
    await settled(phone);
    assert.deepEqual(await findings(phone), []);
    await look(phone, name);
  }
});

test('on the phone a code that is typed leads to the asset, and from there to its report', async () => {
  const { machine, plate } = await plateOf('JJ-CNC-001');
  // A code that nothing has is answered 400, which the browser complains about.
  const page = await person(OPERATOR, PHONE, 'zh-CN', { complaints: [] });
  await page.goto('/wel/index');
  await page.getByRole('button', { name: '扫一扫' }).click();
  await page.waitForURL('**/equip/scan');
  await settled(page);
  await look(page, 'scan-phone');
  await page.getByLabel('输入编号').fill(plate.tagCode.toLowerCase());
  await page.getByRole('button', { name: '查找', exact: true }).click();
  await page.getByRole('heading', { name: machine.machineName }).waitFor();
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'scan-found');
  await page.goto(`/scan/${plate.token}`);
  await page.getByRole('button', { name: '报修' }).click();
  await page.waitForURL(`**/repair/report?machineId=${machine.id}`);
  await page.goto('/equip/scan?text=nothing');
  await page.getByText('没有找到「nothing」对应的设备或点位').waitFor();
});

test('somebody without an account reports by the plate, in English, and elsewhere signs in first', async () => {
  const { plate } = await plateOf('JJ-CNC-002');
  const page = await stranger({ viewport: PHONE, language: 'en-US' });
  await page.goto(`/scan/${plate.token}`);
  await page.getByLabel('Description').fill('The spindle is noisy');
  await page.getByLabel('Your name').fill('Visitor Wang');
  await page.getByLabel('Phone').fill('nobody');
  await page.getByRole('button', { name: 'Submit report' }).click();
  await page.getByText('This is not a phone number').waitFor();
  await page.getByLabel('Phone').fill('138 0000 0000');
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'anonymous-phone');
  await page.getByRole('button', { name: 'Submit report' }).click();
  await page.getByText('Report received').waitFor();
  await look(page, 'anonymous-sent');
  const [order] = (await call(KEEPER, 'yuzhu-equip/repairorder/list?source=5')).records;
  assert.deepEqual(
    [order.reporterName, order.reporterPhone, order.status],
    ['Visitor Wang', '138 0000 0000', 1],
  );
  await page.goto('/scan/100001-xxxxxxxxxxxxxxxx');
  await page.waitForURL('**/login');
  const keeper = await person(KEEPER, DESK);
  await keeper.goto(`/repair/order/${order.id}`);
  await keeper.getByText('Visitor Wang（扫码报修，无账号）').waitFor();
  await look(keeper, 'anonymous-order');
});

test('what a report asks for is set, holds in the form, and is taken back', async () => {
  const page = await person(KEEPER, DESK);
  await page.goto('/base/required');
  await settled(page);
  await page.getByRole('checkbox', { name: '故障照片 必填' }).check();
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').first().waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'required-desk');
  await page.goto('/repair/report');
  await settled(page);
  await page.locator('.ant-form-item', { hasText: '故障照片' }).locator('.ant-form-item-required').waitFor();
  await page.goto('/base/required');
  await page.getByRole('checkbox', { name: '故障照片 必填' }).uncheck();
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('已保存').first().waitFor();
  assert.deepEqual(faults, []);
});
