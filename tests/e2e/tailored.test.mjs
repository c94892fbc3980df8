// A company's own flow in a real browser: the repair's model gets an approval of dear repairs. What
// was on its way ends as it began, what comes after waits for its people, and the other company knows nothing of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, element } from './designing.mjs';
import { DESK, findings, languages, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const DESIGNER = 'gao.l';
/** What the manager is called, who may approve by the role that is chosen. */
const MANAGER = '钱伟';
const DEAR = { otherCost: 1500 };
const CHEAP = { otherCost: 100 };

const OURS = {
  tenant: '100001',
  reporter: 'qin.y',
  leader: 'wei.b',
  repairer: 'jiang.p',
  manager: 'qian.w',
  machines: ['JJ-TC-001', 'JJ-HMC-001', 'JJ-GH-001'],
};
const THEIRS = {
  tenant: '100002',
  reporter: 'bai.q',
  leader: 'shi.b',
  repairer: 'gu.y',
  manager: 'tan.w',
  machines: ['YL-CP-001'],
};

const TEXTS = {
  'zh-CN': {
    model: '设备维修',
    design: '设计',
    general: '通用 · 第1版',
    gateway: '是否转派',
    step: '大额维修审批',
    addRule: '添加规则',
    candidates: '候选人',
    role: '角色',
    manager: '设备主管',
    append: '追加元素 (A)',
    check: '验收',
    way: '未命名 → 大额维修审批',
    addRow: '添加条件',
    name: '名称',
    cost: '维修费用（元）',
    comparison: '比较',
    more: '大于',
    value: '值',
    who: '查看办理人',
    starter: '假设发起人',
    noErrors: /没有问题|0个错误/,
    dryRun: '试运行',
    begin: '开始试运行',
    ways: ['派单', '接单', '完工'],
    waits: '等待「大额维修审批」',
    agree: '同意',
    waitsAfter: '等待「验收」',
    deploy: '部署…',
    note: '说明',
    submit: '部署',
    own: '本企业 · 第1版',
    deployed: '已部署第1版，查看部署',
    claim: '领取',
    handle: '办理',
    comment: '处理意见',
    toCheck: '待验收',
  },
  'en-US': {
    model: 'Equipment repair',
    design: 'Design',
    general: 'General · version 1',
    gateway: 'Transferred?',
    step: 'Approval of dear repairs',
    addRule: 'Add a rule',
    candidates: 'Candidates',
    role: 'Role',
    manager: 'Equipment manager',
    append: 'Append element (A)',
    check: 'Verify',
    way: 'Unnamed → Approval of dear repairs',
    addRow: 'Add condition',
    name: 'Name',
    cost: 'Repair cost',
    comparison: 'Operator',
    more: 'is greater than',
    value: 'Value',
    who: 'Preview assignment',
    starter: 'Assume started by',
    noErrors: /No problems|0 errors/,
    dryRun: 'Dry run',
    begin: 'Start dry run',
    ways: ['Dispatch', 'Accept', 'Complete'],
    waits: 'waits for “Approval of dear repairs”',
    agree: 'Approve',
    waitsAfter: 'waits for “Verify”',
    deploy: 'Deploy…',
    note: 'Note',
    submit: 'Deploy',
    own: 'Company · version 1',
    deployed: 'Deployed as version 1. View deployments',
    claim: 'Claim',
    handle: 'Open',
    comment: 'Comment',
    toCheck: 'Pending verification',
  },
};

const panel = (page) => page.locator('.x-props');
const tab = (page, name) => page.locator('.x-designer-tabs').getByRole('button', { name, exact: true });

/** Whether the shape lies on another one that it is not inside of. */
const onOthers = (page, id) =>
  page.evaluate((own) => {
    const boxOf = (one) => one.querySelector(':scope > .djs-visual').getBoundingClientRect();
    const shapes = [...document.querySelectorAll('.x-designer-canvas .djs-shape:not(.djs-label)')];
    const made = shapes.find((one) => one.dataset.elementId === own);
    const box = boxOf(made);
    return shapes
      .filter((one) => one !== made && !one.closest('.djs-group').contains(made))
      .filter((one) => {
        const other = boxOf(one);
        return (
          other.left < box.right && box.left < other.right && other.top < box.bottom && box.top < other.bottom
        );
      })
      .map((one) => one.dataset.elementId);
  }, id);

/** Orders of a company, moved as its people's programs do. */
function plant(call, { tenant, reporter, leader, repairer, manager, machines }) {
  const ask = (account, path, body) => call(account, path, body, tenant);
  const act = async (account, order, action, values = {}) => {
    const { id, lockVersion } = order;
    const body = { id, lockVersion, action, ...values };
    Object.assign(order, await ask(account, 'yuzhu-equip/repairorder/update', body));
  };
  return {
    /** One that somebody works on, of the machine in this place. */
    async repairing(place) {
      const code = machines[place];
      const found = await ask(reporter, `yuzhu-equip/inspectmachine/list?machineCode=${code}`);
      const machine = found.records.find(({ machineCode }) => machineCode === code);
      const body = { machineId: machine.id, description: '主轴异响', force: 1 };
      const order = await ask(reporter, 'yuzhu-equip/repairorder/save', body);
      const people = await ask(leader, 'blade-user/user-list');
      const { id: repairUserId } = people.find(({ account }) => account === repairer);
      await act(leader, order, 'dispatch', { repairUserId });
      await act(repairer, order, 'accept');
      return order;
    },
    async finish(order, costs) {
      const now = new Date();
      const begun = new Date(now);
      begun.setSeconds(0, 0);
      await ask(repairer, 'yuzhu-equip/repairorderdetail/submit', {
        orderId: order.id,
        startTime: begun.toISOString(),
        endTime: now.toISOString(),
      });
      const [cause] = await ask(repairer, 'yuzhu-equip/equiptags/getTagList?type=5');
      const [action] = await ask(repairer, 'yuzhu-equip/equiptags/getTagList?type=6');
      const words = { solution: '更换轴承', causeTagId: cause.id, actionTagIds: action.id };
      await act(repairer, order, 'finish', { ...words, ...costs });
    },
    /** The steps of it that wait to be claimed, in Chinese. */
    async waitsAt(order) {
      const { records } = await ask(manager, 'blade-flow/work/claim-list?size=100');
      return records.filter(({ businessId }) => businessId === order.id).map(({ taskName }) => taskName);
    },
  };
}

for (const language of languages('zh-CN')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, faults, look, person } = stage();

    test('an approval of dear repairs, for new orders of one company', async () => {
      const [ours, theirs] = [plant(call, OURS), plant(call, THEIRS)];
      const before = await ours.repairing(0);

      const page = await person(DESIGNER, DESK, language);
      await page.goto('/flow/model');
      const row = page.getByRole('row').filter({ hasText: 'repairorder' });
      await row.getByText(words.general).waitFor();
      await row.getByRole('button', { name: words.design, exact: true }).click();
      await page.waitForURL('**/flow/model/design/*');
      await element(page, 'start').waitFor();
      await settled(page);

      // The step, behind the gateway and before the check.
      await page.locator('.x-designer-canvas svg').first().focus();
      await page.keyboard.press('Control+f');
      await page.locator('.djs-search-input input').fill(words.gateway);
      await page.locator('.djs-search-result').filter({ hasText: 'afterRepair' }).click();
      await page.locator('.djs-context-pad.open [data-action="append.userTask"]').click();
      const made = element(page, 'userTask_1');
      await made.waitFor();
      await page.locator('.djs-direct-editing-content').fill(words.step);
      await page.keyboard.press('Enter');
      await panel(page).getByRole('heading', { name: words.step }).waitFor();
      assert.deepEqual(await onOthers(page, 'userTask_1'), []);
      await panel(page)
        .getByRole('region', { name: words.candidates })
        .getByRole('button', { name: words.addRule })
        .click();
      await choose(
        page,
        panel(page).locator('.x-rule').getByLabel(words.role, { exact: true }),
        words.manager,
      );
      // The menu stays open while what was drawn is saved, and the head above the canvas changes its height with it.
      await settled(page);
      await page.locator('.djs-context-pad.open [data-action="append"]').click();
      await page.locator('.djs-popup input').fill('check');
      await page.locator('.djs-popup [data-id="connect.check"]').click();
      await look(page, `tailored-drawn-${language}`);

      // When it is asked for.
      await element(page, 'afterRepair').click();
      await panel(page).getByRole('button', { name: words.way }).click();
      await panel(page).getByRole('button', { name: words.addRow }).click();
      await choose(page, panel(page).getByLabel(words.name, { exact: true }).last(), words.cost, words.cost);
      await choose(page, panel(page).getByLabel(words.comparison, { exact: true }), words.more);
      await panel(page).getByLabel(words.value, { exact: true }).fill('1000');
      await panel(page).getByLabel(words.value, { exact: true }).press('Enter');
      assert.deepEqual(await findings(page), []);
      await look(page, `tailored-condition-${language}`);

      // Who would get it.
      await made.click();
      await panel(page).getByRole('button', { name: words.who }).click();
      await choose(page, panel(page).getByLabel(words.starter), '秦岳', '秦岳');
      await panel(page).locator('.x-who li').filter({ hasText: MANAGER }).waitFor();
      await page.locator('.x-designer-count').filter({ hasText: words.noErrors }).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `tailored-who-${language}`);

      // How it would run.
      await tab(page, words.dryRun).click();
      const run = page.locator('.x-designer-drawer');
      await run.getByLabel(words.cost).fill('1500');
      await run.getByRole('button', { name: words.begin }).click();
      for (const way of words.ways) {
        await run.locator('.x-run-acts').getByRole('button', { name: way, exact: true }).click();
      }
      await run.locator('.x-run-bar').getByText(words.waits).waitFor();
      await run.locator('.x-run-open').getByText(MANAGER).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `tailored-run-${language}`);
      await run.locator('.x-run-acts').getByRole('button', { name: words.agree, exact: true }).click();
      await run.locator('.x-run-bar').getByText(words.waitsAfter).waitFor();

      // In force, for the own company.
      await page.getByRole('button', { name: words.deploy, exact: true }).click();
      const form = page.locator('.ant-drawer-open');
      await form.getByLabel(words.note, { exact: true }).fill('超过1000元须设备主管审批');
      await form.getByRole('checkbox').check();
      assert.deepEqual(await findings(page), []);
      await form.getByRole('button', { name: words.submit, exact: true }).click();
      await page.getByRole('link', { name: words.deployed }).waitFor();

      // What was on its way ends as it began; a new dear one waits, a new cheap one and the other company's do not.
      const [dear, cheap, other] = [
        await ours.repairing(1),
        await ours.repairing(2),
        await theirs.repairing(0),
      ];
      await ours.finish(before, DEAR);
      await ours.finish(dear, DEAR);
      await ours.finish(cheap, CHEAP);
      await theirs.finish(other, DEAR);
      assert.deepEqual(await ours.waitsAt(before), ['验收']);
      assert.deepEqual(await ours.waitsAt(cheap), ['验收']);
      assert.deepEqual(await theirs.waitsAt(other), ['验收']);
      assert.deepEqual(await ours.waitsAt(dear), [words.step]);

      // Claimed from the list and approved on its page by one of its people.
      const manager = await person(OURS.manager, DESK, language);
      await manager.goto('/work/claim');
      const task = manager.getByRole('row').filter({ hasText: dear.orderNo });
      await task.getByText(words.step).waitFor();
      await task.getByRole('button', { name: words.claim, exact: true }).click();
      await task.waitFor({ state: 'detached' });
      await manager.goto('/work/todo');
      await task.getByRole('button', { name: words.handle, exact: true }).click();
      await manager.waitForURL('**/work/process/repair/handle/**');
      await manager.locator('.x-task').getByText(words.step).waitFor();
      await state(manager).filter({ hasText: words.toCheck }).waitFor();
      assert.deepEqual(await findings(manager), []);
      // Nothing is said of what nobody knows.
      assert.equal(await manager.locator('.x-doc-holder dd:empty').count(), 0);
      await look(manager, `tailored-approval-${language}`);
      await manager.getByLabel(words.comment).fill('同意');
      await manager.getByRole('button', { name: words.agree, exact: true }).click();
      await manager.waitForURL('**/work/todo');
      assert.deepEqual(await ours.waitsAt(dear), ['验收']);
      const reporter = await person(OURS.reporter, DESK, language);
      for (const { id } of [before, dear, cheap]) {
        await reporter.goto(`/repair/order/${id}`);
        await state(reporter).filter({ hasText: words.toCheck }).waitFor();
        await bar(reporter, words.check).waitFor();
      }

      // Whoever draws for the other company sees the general version, and no other.
      const stranger = await person('luo.m', DESK, language, { tenant: THEIRS.tenant });
      await stranger.goto('/flow/model');
      const theirRow = stranger.getByRole('row').filter({ hasText: 'repairorder' });
      await theirRow.getByText(words.general).waitFor();
      await stranger.goto('/flow/manager?key=repairorder');
      const versions = stranger.getByRole('row').filter({ hasText: 'repairorder' });
      await versions.first().waitFor();
      await settled(stranger);
      assert.equal(await versions.count(), 1);
      await page.goto('/flow/model');
      await row.getByText(words.own).waitFor();
      assert.deepEqual(faults, []);
    });
  });
}
