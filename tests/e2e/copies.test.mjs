// Copies in a real browser: the model sends one at the desk, a person another one on a phone; both are opened and read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { oneStep } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const STARTER = 'qin.y';
const HOLDER = 'qian.w';
/** Whom the model copies in, and whom the starter does. */
const [BY_MODEL, BY_HAND] = ['shen.k', 'jiang.p'];

const TEXTS = {
  'zh-CN': {
    agree: '同意',
    over: '已结束',
    unread: '未阅',
    from: '流程：审批',
    send: '抄送',
    to: '抄送人员',
    note: '附言',
    sent: '已抄送',
  },
  'en-US': {
    agree: 'Approve',
    over: 'Finished',
    unread: 'Unread',
    from: 'Process: Approve',
    send: 'Send a copy',
    to: 'Recipients',
    note: 'Note',
    sent: 'Copy sent',
  },
};

const row = (page, number) => page.locator('tbody .x-row, .x-card').filter({ hasText: number });

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, deploy, faults, look, person } = stage();
    let process;

    const copies = async (account) =>
      (await call(account, 'blade-flow/work/copy-list')).records
        .filter(({ businessNo }) => businessNo === process.businessNo)
        .map(({ senderName, note, readTime }) => [senderName, note, readTime !== '']);

    /** The person finds the copy, marked as unread, opens it, and finds it read. */
    async function read(account, viewport, told, picture) {
      const page = await person(account, viewport, language);
      await page.goto('/work/copy');
      const copy = row(page, process.businessNo);
      await copy.filter({ hasText: words.unread }).filter({ hasText: told }).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `copies-${picture}-${language}`);
      await copy.click();
      await page.waitForURL('**/work/process/own/detail/**');
      await state(page).filter({ hasText: words.over }).waitFor();
      await page.goto('/work/copy');
      await copy.filter({ hasText: told }).filter({ hasNotText: words.unread }).waitFor();
      await page.close();
    }

    test('at the desk, what the model sends when the step is done is unread until it is opened', async () => {
      const drawing = oneStep('copied', '外出登记', 'Going out', {
        candidates: `user:${HOLDER}`,
        copies: `user:${BY_MODEL}`,
      });
      const processDefinitionId = await deploy('copied', drawing);
      process = await call(STARTER, 'blade-flow/work/start-process', { processDefinitionId });
      assert.deepEqual(await copies(BY_MODEL), []);

      const holder = await person(HOLDER, DESK, language);
      await holder.goto('/work/todo');
      await row(holder, process.businessNo).click();
      await bar(holder, words.agree).click();
      await holder.waitForURL('**/work/todo');
      await holder.close();

      assert.deepEqual(await copies(BY_MODEL), [['', '', false]]);
      await read(BY_MODEL, DESK, words.from, 'desk');
      assert.deepEqual(await copies(BY_MODEL), [['', '', true]]);
      assert.deepEqual(faults, []);
    });

    test('on a phone, what a person sends by hand is unread until it is opened', async () => {
      const { processInstanceId: id } = process;
      const sender = await person(STARTER, PHONE, language);
      await sender.goto(`/work/process/own/detail/${id}/${id}`);
      await bar(sender, words.send).click();
      const form = sender.locator('.ant-drawer-open');
      await form.getByLabel(words.to).fill('蒋平');
      const options = sender.locator('.ant-select-item-option');
      // The list has come that was asked for with this name.
      await options.filter({ hasText: '高岚' }).waitFor({ state: 'detached' });
      await settled(sender);
      await options.filter({ hasText: '蒋平' }).first().click();
      await form.locator('.ant-drawer-title').click();
      await form.getByLabel(words.note).fill('请知悉');
      assert.deepEqual(await findings(sender), []);
      await look(sender, `copies-send-${language}`);
      await form.getByRole('button', { name: words.send, exact: true }).click();
      await sender.getByText(words.sent).waitFor();
      await sender.close();

      assert.deepEqual(await copies(BY_HAND), [['秦岳', '请知悉', false]]);
      await read(BY_HAND, PHONE, '请知悉', 'phone');
      assert.deepEqual(await copies(BY_HAND), [['秦岳', '请知悉', true]]);
      assert.deepEqual(await copies(BY_MODEL), [['', '', true]]); // to each their own
      assert.deepEqual(faults, []);
    });
  });
}
