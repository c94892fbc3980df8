// An absence cover in a real browser: set on the desk or the phone, in both languages, and the task arrives at the cover.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose } from './designing.mjs';
import { oneStep } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const STARTER = 'qin.y';
const [ABSENT, COVER] = ['jiang.p', 'shen.k'];

const TEXTS = {
  'zh-CN': {
    title: '请假代办',
    cover: '代办人',
    save: '保存',
    now: '代办中',
    who: '沈凯（代蒋平）',
    why: '代蒋平办理',
    agree: '同意',
  },
  'en-US': {
    title: 'Absence cover',
    cover: 'Covered by',
    save: 'Save',
    now: 'Active',
    who: '沈凯 (for 蒋平)',
    why: 'On behalf of 蒋平',
    agree: 'Approve',
  },
};

/** So many hours from now as the plant's clocks show it. */
const wire = (hours) => {
  const there = new Date(Date.now() + (hours + 8) * 3_600_000);
  return there.toISOString().slice(0, 19).replace('T', ' ');
};

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, deploy, faults, look, person } = stage();

    for (const [name, viewport] of [
      ['desk', DESK],
      ['phone', PHONE],
    ]) {
      test(`whoever is away names a cover at the ${name}, who gets the task`, async () => {
        const page = await person(ABSENT, viewport, language);
        // As the page of an approved leave leads here.
        const period = new URLSearchParams({ from: wire(-1), until: wire(48) });
        await page.goto(`/work/absence?${period}`);
        const form = page.locator('.ant-drawer');
        await choose(page, form.getByLabel(words.cover, { exact: true }), '沈凯', '沈');
        await look(page, `absence-form-${name}-${language}`);
        await form.getByRole('button', { name: words.save }).click();
        await form.waitFor({ state: 'hidden' });
        await page.getByText(words.now).first().waitFor();
        await settled(page);
        assert.deepEqual(await findings(page), []);
        await look(page, `absence-list-${name}-${language}`);

        const key = `away${name}${language.slice(0, 2)}`;
        const definition = await deploy(
          key,
          oneStep(key, '外出登记', 'Going out', { candidates: `user:${ABSENT}` }),
        );
        const begun = await call(STARTER, 'blade-flow/work/start-process', {
          processDefinitionId: definition,
        });
        const cover = await person(COVER, viewport, language);
        await cover.goto('/work/todo');
        const row = cover
          .locator('tbody .x-row, .x-card, .x-task, li')
          .filter({ hasText: begun.businessNo })
          .first();
        await row.waitFor();
        await look(cover, `absence-inbox-${name}-${language}`);
        const [task] = (await call(COVER, 'blade-flow/work/todo-list')).records.filter(
          ({ businessNo }) => businessNo === begun.businessNo,
        );
        assert.ok(task.why === '代蒋平办理' && task.assigneeName === '沈凯（代蒋平）');
        const [sent] = (await call(STARTER, 'blade-flow/work/send-list')).records;
        assert.equal(sent.assigneeName, '沈凯（代蒋平）');

        const starter = await person(STARTER, viewport, language);
        await starter.goto('/work/send');
        await starter.getByText(words.who).first().waitFor();
        await look(starter, `absence-sent-${name}-${language}`);
        await call(COVER, 'blade-flow/work/complete-task', { taskId: task.taskId, flag: 'ok' });
        await Promise.all([page, cover, starter].map((one) => one.close()));
      });
    }

    test('no page complained', () => assert.deepEqual(faults, []));
  });
}
