// A step that several people sign, in a real browser: drawn, told to whom it goes, deployed, signed on phone and desk.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, element } from './designing.mjs';
import { oneStep } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const DESIGNER = 'gao.l';
const STARTER = 'qin.y';
/** All of the role: each gets a task, and half of them decide. */
const SIGNERS = ['jiang.p', 'shen.k', 'han.d', 'yang.s'];

const TEXTS = {
  'zh-CN': {
    several: '由多人办理，每人一个任务',
    who: '由谁办理',
    members: '角色的成员',
    role: '角色',
    repairer: '维修工',
    mode: '决定方式',
    share: '按比例同意',
    percent: '同意的百分比',
    means: '50% 的人的结果是 agree',
    noErrors: /没有问题|0个错误/,
    deploy: '部署…',
    note: '说明',
    submit: '部署',
    deployed: '已部署第1版，查看部署',
    agree: '同意',
    over: '已结束',
    diagram: '流程图',
  },
  'en-US': {
    several: 'Multi-instance (one task per person)',
    who: 'Assignees',
    members: 'Members of a role',
    role: 'Role',
    repairer: 'Technician',
    mode: 'Completion rule',
    share: 'A percentage approves',
    percent: 'Percentage required',
    means: 'It ends when 50 % have chosen agree',
    noErrors: /No problems|0 errors/,
    deploy: 'Deploy…',
    note: 'Note',
    submit: 'Deploy',
    deployed: 'Deployed as version 1. View deployments',
    agree: 'Approve',
    over: 'Finished',
    diagram: 'Diagram',
  },
};

const row = (page, number) => page.locator('tbody .x-row, .x-card').filter({ hasText: number });

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, faults, look, person } = stage();

    test('half of a role sign, and the others need not any more', async () => {
      const draft = await call(DESIGNER, 'blade-flow/model/submit', {
        name: '外出登记',
        modelKey: 'signed',
        category: 'flow_1',
        xml: oneStep('signed', '外出登记', 'Going out', { candidates: '' }),
      });
      const page = await person(DESIGNER, DESK, language);
      await page.goto(`/flow/model/design/${draft.id}`);
      await element(page, 'approve').click();
      const panel = page.locator('.x-props');
      await panel.getByRole('checkbox', { name: words.several }).check();
      await choose(page, panel.getByLabel(words.who, { exact: true }), words.members);
      await choose(page, panel.getByLabel(words.role, { exact: true }), words.repairer);
      await choose(page, panel.getByLabel(words.mode, { exact: true }), words.share);
      await panel.getByLabel(words.percent, { exact: true }).fill('50');
      await panel.getByLabel(words.percent, { exact: true }).press('Enter');
      await panel.getByText(words.means).waitFor();
      await page.locator('.x-designer-count').filter({ hasText: words.noErrors }).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `countersign-drawn-${language}`);

      await page.getByRole('button', { name: words.deploy, exact: true }).click();
      const form = page.locator('.ant-drawer-open');
      await form.getByLabel(words.note, { exact: true }).fill('半数会签');
      if ((await form.getByRole('checkbox').count()) > 0) await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: words.submit, exact: true }).click();
      await page.getByRole('link', { name: words.deployed }).waitFor();

      const [{ id: definition }] = (await call(DESIGNER, 'blade-flow/manager/list?key=signed')).records;
      const started = await call(STARTER, 'blade-flow/work/start-process', {
        processDefinitionId: definition,
      });
      const { businessNo: number, processInstanceId: id } = started;

      // Each has a task of their own. On the phone the first signs, and the process goes on waiting.
      const waits = async () => {
        const lists = SIGNERS.map((account) => call(account, 'blade-flow/work/todo-list?size=100'));
        const found = (await Promise.all(lists)).map(({ records }) =>
          records.some(({ businessNo }) => businessNo === number),
        );
        return SIGNERS.filter((_, place) => found[place]);
      };
      assert.deepEqual(await waits(), SIGNERS);
      for (const [place, viewport] of [PHONE, DESK].entries()) {
        const signer = await person(SIGNERS[place], viewport, language);
        await signer.goto('/work/todo');
        await row(signer, number).click();
        await signer.waitForURL('**/work/process/own/handle/**');
        await bar(signer, words.agree).waitFor();
        assert.deepEqual(await findings(signer), []);
        await look(signer, `countersign-sign-${viewport.width}-${language}`);
        await bar(signer, words.agree).click();
        await signer.waitForURL('**/work/todo');
        await settled(signer);
        assert.deepEqual(await waits(), place === 0 ? SIGNERS.slice(1) : []);
      }

      // What the starter sees of it: over, with both who signed.
      const starter = await person(STARTER, DESK, language);
      await starter.goto(`/work/process/own/detail/${id}/${id}`);
      await state(starter).filter({ hasText: words.over }).waitFor();
      const story = starter.locator('.x-timeline');
      for (const name of ['蒋平', '沈凯']) await story.getByText(name).first().waitFor();
      assert.equal(await story.getByText('韩东').count(), 0);
      await starter.getByRole('tab', { name: words.diagram }).click();
      await settled(starter);
      assert.deepEqual(await findings(starter), []);
      await look(starter, `countersign-over-${language}`);
      assert.deepEqual(faults, []);
    });
  });
}
