// Signers in a real browser: weights drawn in the designer; signers added and removed at the desk, signed on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, element } from './designing.mjs';
import { oneStep } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const DESIGNER = 'gao.l';
const STARTER = 'qin.y';
const HOLDER = 'qian.w';
const SIGNER = 'jiang.p';

const TEXTS = {
  'zh-CN': {
    several: '由多人办理，每人一个任务',
    mode: '决定方式',
    weighted: '按权重同意',
    add: '添加权重',
    role: '角色',
    technician: '维修工',
    weight: '权重',
    means: '结果是 agree 的权重达到总权重的60%',
    noErrors: /没有问题|0个错误/,
    sign: '加签',
    before: /^前加签/,
    reason: '原因',
    state: '办理中',
    remove: '移除',
    comment: '处理意见',
    agree: '同意',
    reject: '驳回',
    over: '已结束',
    added: '前加签',
  },
  'en-US': {
    several: 'Multi-instance (one task per person)',
    mode: 'Completion rule',
    weighted: 'A share of the weights approves',
    add: 'Add a weight',
    role: 'Role',
    technician: 'Technician',
    weight: 'Weight',
    means: 'hold 60 % of all weights',
    noErrors: /No problems|0 errors/,
    sign: 'Add signers',
    before: /^Before me/,
    reason: 'Reason',
    state: 'Current',
    remove: 'Remove',
    comment: 'Comment',
    agree: 'Approve',
    reject: 'Reject',
    over: 'Finished',
    added: 'Add signers before',
  },
};

const row = (page, number) => page.locator('tbody .x-row, .x-card').filter({ hasText: number });

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, deploy, faults, look, person } = stage();

    test('weights are drawn, and the deployment check takes them', async () => {
      const draft = await call(DESIGNER, 'blade-flow/model/submit', {
        name: '外出登记',
        modelKey: 'weighed',
        category: 'flow_1',
        xml: oneStep('weighed', '外出登记', 'Going out', { candidates: '' }),
      });
      const page = await person(DESIGNER, DESK, language);
      await page.goto(`/flow/model/design/${draft.id}`);
      await element(page, 'approve').click();
      const panel = page.locator('.x-props');
      await panel.getByRole('checkbox', { name: words.several }).check();
      await choose(page, panel.getByLabel(words.mode, { exact: true }), words.weighted);
      await panel.getByRole('button', { name: words.add }).click();
      await choose(page, panel.getByLabel(words.role, { exact: true }), words.technician);
      await panel.getByLabel(words.weight, { exact: true }).fill('3');
      await panel.getByLabel(words.weight, { exact: true }).press('Enter');
      await panel.getByText(words.means).waitFor();
      await page.locator('.x-designer-count').filter({ hasText: words.noErrors }).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `signers-weights-${language}`);
      assert.deepEqual(faults, []);
    });

    test('a holder adds signers and removes one, and decides when the other has signed', async () => {
      const drawing = oneStep('signed2', '外出登记', 'Going out', { candidates: `user:${HOLDER}` });
      const definition = await deploy('signed2', drawing);
      const started = await call(STARTER, 'blade-flow/work/start-process', {
        processDefinitionId: definition,
      });
      const { businessNo: number, processInstanceId: id } = started;

      const holder = await person(HOLDER, DESK, language);
      await holder.goto('/work/todo');
      await row(holder, number).click();
      await holder.waitForURL('**/work/process/own/handle/**');
      await holder.getByRole('button', { name: words.sign, exact: true }).click();
      const form = holder.locator('.ant-drawer-open');
      await form.getByRole('radio', { name: words.before }).check();
      // Several are chosen, so that the list stays open between them.
      for (const name of ['蒋平', '沈凯']) {
        await form.getByRole('combobox').fill(name);
        const options = holder.locator('.ant-select-item-option');
        // The list has come that was asked for with this name.
        await options.filter({ hasText: '高岚' }).waitFor({ state: 'detached' });
        await settled(holder);
        await options.filter({ hasText: name }).first().click();
        await form.locator('.ant-select').getByText(name).waitFor();
      }
      await form.locator('.ant-drawer-title').click(); // Tab would choose once more
      await form.getByLabel(words.reason).fill('请把关');
      await settled(holder);
      await look(holder, `signers-add-${language}`);
      await form.getByRole('button', { name: words.sign, exact: true }).click();
      const list = holder.locator('.x-signers li');
      await list.filter({ hasText: '沈凯' }).filter({ hasText: words.state }).waitFor();
      assert.equal(await list.count(), 2);
      assert.equal(await bar(holder, words.agree).count(), 0);
      assert.deepEqual(await findings(holder), []);
      await look(holder, `signers-waiting-${language}`);

      await list.filter({ hasText: '沈凯' }).getByRole('button', { name: words.remove }).click();
      const removal = holder.locator('.ant-drawer-open');
      await removal.getByLabel(words.reason).fill('出差');
      await removal.getByRole('button', { name: words.remove, exact: true }).click();
      await list.filter({ hasText: '沈凯' }).waitFor({ state: 'detached' });

      const signer = await person(SIGNER, PHONE, language);
      await signer.goto('/work/todo');
      await row(signer, number).click();
      await signer.waitForURL('**/work/process/own/handle/**');
      await signer.getByLabel(words.comment).fill('注意安全');
      await bar(signer, words.reject).waitFor();
      assert.deepEqual(await findings(signer), []);
      await look(signer, `signers-sign-${language}`);
      await bar(signer, words.reject).click();
      await signer.waitForURL('**/work/todo');

      await holder.reload();
      await list.filter({ hasText: '注意安全' }).waitFor();
      await bar(holder, words.agree).waitFor();
      await look(holder, `signers-decide-${language}`);
      await bar(holder, words.agree).click();
      await holder.waitForURL('**/work/todo');

      const starter = await person(STARTER, DESK, language);
      await starter.goto(`/work/process/own/detail/${id}/${id}`);
      await state(starter).filter({ hasText: words.over }).waitFor();
      await starter.locator('.x-timeline').getByText(words.added).first().waitFor();
      assert.deepEqual(await findings(starter), []);
      await look(starter, `signers-over-${language}`);
      assert.deepEqual(faults, []);
    });
  });
}
