// Tasks sent back, in a real browser: switched in the designer, deployed, sent back on the phone, returned, taken back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { element } from './designing.mjs';
import { threeSteps } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const DESIGNER = 'gao.l';
const STARTER = 'qin.y';
const [DRAFTS, REVIEWS, SIGNS] = ['jiang.p', 'shen.k', 'han.d'];

const TEXTS = {
  'zh-CN': {
    takeBackStep: '允许取回此步骤',
    noErrors: /没有问题|0个错误|个警告/,
    deploy: '部署…',
    note: '说明',
    submit: '部署',
    deployed: '已部署第1版，查看部署',
    sendBack: '退回',
    way: '办完后直接回到我这里',
    again: '从该步骤重新依次办理',
    reason: '原因',
    done: '提交',
    agree: '同意',
    takeBack: '取回',
    sentBack: '审核：退回至「拟稿」',
    returned: '已退回',
    diagram: '流程图',
    over: '已结束',
    withdraw: '撤回',
    startAgain: '修改后重新发起',
  },
  'en-US': {
    takeBackStep: 'Can be taken back',
    noErrors: /No problems|0 errors|warning/,
    deploy: 'Deploy…',
    note: 'Note',
    submit: 'Deploy',
    deployed: 'Deployed as version 1. View deployments',
    sendBack: 'Send back',
    way: 'Come straight back to me',
    again: 'Go through the steps again from there',
    reason: 'Reason',
    done: 'Submit',
    agree: 'Approve',
    takeBack: 'Take back',
    sentBack: 'Review: Sent back to “Draft”',
    returned: 'Sent back',
    diagram: 'Diagram',
    over: 'Finished',
    withdraw: 'Withdraw',
    startAgain: 'Edit and start again',
  },
};

const row = (page, number) => page.locator('tbody .x-row, .x-card').filter({ hasText: number });
const drawer = (page) => page.locator('.ant-drawer-open');

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, faults, look, person } = stage();

    /** The person's page of the task. */
    async function task(account, viewport, number) {
      const page = await person(account, viewport, language);
      await page.goto('/work/todo');
      await row(page, number).click();
      await page.waitForURL('**/work/process/own/handle/**');
      await settled(page);
      return page;
    }

    async function complete(account, viewport, number, word) {
      const page = await task(account, viewport, number);
      await bar(page, word).click();
      await page.waitForURL('**/work/todo');
      return page;
    }

    async function sendBack(page, way) {
      await page.locator('.x-task').getByRole('button', { name: words.sendBack, exact: true }).click();
      const form = drawer(page);
      await form.getByRole('radio', { name: way }).check();
      const { width } = page.viewportSize();
      const { width: shown } = await form.locator('.ant-drawer-section').boundingBox();
      assert.equal(shown, width < 768 ? width : 480);
      await form.getByLabel(words.reason, { exact: true }).fill('金额不符');
      assert.deepEqual(await findings(page), []);
      await look(page, `back-form-${page.viewportSize().width}-${language}`);
      await form.getByRole('button', { name: words.sendBack, exact: true }).click();
      await page.waitForURL('**/work/todo');
    }

    test('a task goes back and comes straight back, and goes back to be walked again', async () => {
      const people = { draft: DRAFTS, review: REVIEWS, sign: SIGNS };
      const draft = await call(DESIGNER, 'blade-flow/model/submit', {
        name: '合同用印',
        modelKey: 'sentback',
        category: 'flow_1',
        xml: threeSteps('sentback', '合同用印', 'Contract', people),
      });
      const designer = await person(DESIGNER, DESK, language);
      await designer.goto(`/flow/model/design/${draft.id}`);
      await element(designer, 'sign').click();
      const box = designer.locator('.x-props').getByRole('checkbox', { name: words.takeBackStep });
      await box.uncheck();
      await designer.locator('.x-designer-count').filter({ hasText: words.noErrors }).waitFor();
      assert.deepEqual(await findings(designer), []);
      await look(designer, `back-drawn-${language}`);
      await designer.getByRole('button', { name: words.deploy, exact: true }).click();
      const form = drawer(designer);
      await form.getByLabel(words.note, { exact: true }).fill('用印');
      if ((await form.getByRole('checkbox').count()) > 0) await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: words.submit, exact: true }).click();
      await designer.getByRole('link', { name: words.deployed }).waitFor();

      const [{ id: definition }] = (await call(DESIGNER, 'blade-flow/manager/list?key=sentback')).records;
      const begin = () => call(STARTER, 'blade-flow/work/start-process', { processDefinitionId: definition });
      const { businessNo: number, processInstanceId: id } = await begin();
      await complete(DRAFTS, DESK, number, words.done);

      // On the phone straight back to the draft, from which it returns to who sent it.
      await sendBack(await task(REVIEWS, PHONE, number), words.way);
      await complete(DRAFTS, PHONE, number, words.done);
      // At the desk to be walked again: the diagram shows the step that was sent back in a tone of its own.
      const reviewer = await task(REVIEWS, DESK, number);
      await sendBack(reviewer, words.again);
      await reviewer.goto(`/work/process/own/detail/${id}/${id}`);
      await reviewer.getByText(words.sentBack).first().waitFor();
      await reviewer.getByRole('tab', { name: words.diagram }).click();
      await reviewer.locator('.x-diagram-legend').getByText(words.returned).waitFor();
      assert.deepEqual(await findings(reviewer), []);
      await look(reviewer, `back-diagram-${language}`);

      // The draft is done, and taken back on its page before anybody has acted; then it is done for good.
      const drafter = await complete(DRAFTS, DESK, number, words.done);
      await drafter.goto(`/work/process/own/detail/${id}/${id}`);
      await bar(drafter, words.takeBack).click();
      await look(drafter, `back-take-${language}`);
      await drawer(drafter).getByRole('button', { name: words.takeBack, exact: true }).click();
      await bar(drafter, words.takeBack).waitFor({ state: 'detached' });
      await complete(DRAFTS, PHONE, number, words.done);
      await complete(REVIEWS, DESK, number, words.agree);
      const signer = await complete(SIGNS, PHONE, number, words.agree);
      await signer.goto(`/work/process/own/detail/${id}/${id}`);
      await state(signer).filter({ hasText: words.over }).waitFor();
      assert.equal(await bar(signer, words.takeBack).count(), 0);

      // Another one is withdrawn, and begun again from its page.
      const second = await begin();
      const starter = await person(STARTER, PHONE, language);
      await starter.goto('/work/send');
      await call(STARTER, 'blade-flow/work/withdraw', {
        processInstanceId: second.processInstanceId,
        reason: '日期有误',
      });
      const address = `${second.processInstanceId}/${second.processInstanceId}`;
      await starter.goto(`/work/process/own/detail/${address}`);
      await bar(starter, words.startAgain).click();
      await starter.waitForURL(`**/work/process/own/form/${definition}?from=${second.processInstanceId}`);
      await settled(starter);
      assert.deepEqual(await findings(starter), []);
      await look(starter, `back-again-${language}`);
      assert.deepEqual(faults, []);
    });
  });
}
