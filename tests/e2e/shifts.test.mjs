// The schedule of a month: teams moved by mouse and by keys at the desk, one change on the phone, the rotation back again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const KEEPER = 'qian.w';
const LEADER = 'li.q';
const CALL = 'yuzhu-equip/configinfo';

describe('the schedule of a month', () => {
  const { call, faults, look, person } = stage();

  const planOf = async (who, code) => (await call(who, `${CALL}/list?configCode=${code}`)).records[0].id;

  /** Next month, all of whose days are still to come. */
  const coming = () => {
    const now = new Date();
    return new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, 1)).toISOString().slice(0, 7);
  };

  test('teams change places by mouse and by keys, are saved, and go back to the rotation', async () => {
    const plan = await planOf(KEEPER, 'PB-DL');
    const date = `${coming()}-10`;
    const stored = async () => {
      const asked = `id=${plan}&startDate=${date}&endDate=${date}`;
      const { days } = await call(KEEPER, `${CALL}/schedulingDetail?${asked}`);
      return days[0].cells.map(({ shiftName, teamName, source }) => `${shiftName} ${teamName} ${source}`);
    };
    const before = await stored();
    const page = await person(KEEPER, DESK);
    await page.goto(`/shifts/plan/${plan}?month=${coming()}`);
    const place = (shift) => page.locator(`td[data-date="${date}"][data-shift="${shift}"]`);
    const teams = (shift) => place(shift).locator('.x-chip').allTextContents();
    await place(1).locator('.x-chip').waitFor();
    const [[day], [night]] = [await teams(1), await teams(2)];
    const save = page.getByRole('button', { name: '保存调整（1 天）' });

    await place(1).locator('.x-chip').dragTo(place(2));
    assert.deepEqual([await teams(1), (await teams(2)).sort()], [[], [day, night].sort()]);
    await page.getByText('白班: 无班组').waitFor();
    await page.getByRole('button', { name: '撤销' }).click();
    assert.deepEqual([await teams(1), await teams(2)], [[day], [night]]);
    assert.equal(await save.count(), 0);

    for (const [from, key] of [
      [1, 'ArrowRight'],
      [2, 'ArrowLeft'],
    ]) {
      const chip = place(from).locator('.x-chip', { hasText: from === 1 ? day : night });
      await chip.focus();
      await page.keyboard.press('Space');
      await page.keyboard.press(key);
      await page.keyboard.press('Enter');
    }
    assert.deepEqual([await teams(1), await teams(2)], [[night], [day]]);
    // What is not saved is still there when the page is opened again.
    await page.reload();
    await page.getByText(/已恢复 .* 未保存的调整/).waitFor();
    assert.deepEqual([await teams(1), await teams(2)], [[night], [day]]);
    assert.deepEqual(await stored(), before);
    await look(page, 'schedule-desk');
    assert.deepEqual(await findings(page), []);
    await save.click();
    await page.getByText('已保存 1 天的排班').waitFor();
    assert.deepEqual(await stored(), [`白班 ${night} 2`, `夜班 ${day} 2`]);

    const row = page.locator('tr', { has: place(1) });
    await row.getByRole('button', { name: '恢复轮转' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /恢\s?复/ })
      .click();
    await row.getByText('手工').waitFor({ state: 'detached' });
    assert.deepEqual([await teams(1), await teams(2)], [[day], [night]]);
    assert.deepEqual(await stored(), before);
    await page.context().close();
  });

  test('a shift leader takes a team off a shift on the phone, in English', async () => {
    const plan = await planOf(KEEPER, 'PB-SC');
    const page = await person(LEADER, PHONE, 'en-US');
    await page.goto(`/shifts/plan/${plan}?month=${coming()}`);
    const card = page.locator('.x-day-cards > li').nth(4);
    const chip = card.locator('.x-day-line').first().locator('.x-chip');
    await chip.waitFor();
    assert.ok((await chip.boundingBox()).height >= 44);
    const team = await chip.textContent();
    await chip.click();
    await page.getByRole('radio', { name: 'Rest' }).check();
    await look(page, 'schedule-phone');
    await page.getByRole('button', { name: 'OK' }).click();
    await card.getByText('No team').waitFor();
    assert.ok((await card.locator('.x-day-line').last().textContent()).includes(team));
    assert.deepEqual(await findings(page), []);
    await page.getByRole('button', { name: 'Save changes (1 day)' }).click();
    await page.getByText('1 day saved').waitFor();
    await card.getByText(/No team on/).waitFor();
    await settled(page);
    await page.context().close();
    assert.deepEqual(faults, []);
  });
});
