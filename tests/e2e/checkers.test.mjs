// A company's own version of the maintenance model, in which somebody looks at the work before it is verified: drawn and
// deployed in the designer. An order made afterwards is checked twice, at the desk and on a phone; an older one once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, element } from './designing.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const ORDERS = 'yuzhu-equip/maintainorder';
const [DESIGNER, MANAGER, REPAIRER] = ['gao.l', 'qian.w', 'jiang.p'];
/** Who looks first, by the role that is drawn, and who verifies: of the asset's department. */
const [FIRST, SECOND] = ['wei.b', 'li.q'];

const TEXTS = {
  'zh-CN': {
    general: '通用 · 第1版',
    own: '本企业 · 第1版',
    design: '设计',
    step: '保养复核',
    candidates: '候选人',
    addRule: '添加规则',
    role: '角色',
    leader: '维修班长',
    addOutcome: '添加结果',
    agree: '同意',
    noErrors: /没有问题|0个错误/,
    deploy: '部署…',
    note: '说明',
    submit: '部署',
    deployed: '已部署第1版，查看部署',
    claim: '领取',
    handle: '办理',
    toCheck: '待验收',
    check: '验收',
    pass: '通过',
    done: '已完成',
    passed: '保养复核：同意',
  },
  'en-US': {
    general: 'General · version 1',
    own: 'Company · version 1',
    design: 'Design',
    step: 'Review of the work',
    candidates: 'Candidates',
    addRule: 'Add a rule',
    role: 'Role',
    leader: 'Repair leader',
    addOutcome: 'Add an outcome',
    agree: 'Approve',
    noErrors: /No problems|0 errors/,
    deploy: 'Deploy…',
    note: 'Note',
    submit: 'Deploy',
    deployed: 'Deployed as version 1. View deployments',
    claim: 'Claim',
    handle: 'Open',
    toCheck: 'Pending verification',
    check: 'Verify',
    pass: 'Pass',
    done: 'Done',
    passed: 'Review of the work: Approve',
  },
};

const panel = (page) => page.locator('.x-props');

for (const language of languages('zh-CN')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, faults, look, person } = stage();

    const act = async (account, id, action, values = {}, path = 'update') => {
      // Its reminders change it too.
      const { lockVersion } = await call(account, `${ORDERS}/detail?id=${id}`);
      await call(account, `${ORDERS}/${path}`, { id, lockVersion, action, ...values });
    };

    /** Makes orders of a standard of one item, each for another asset of the machining shop. */
    async function plant() {
      const at = async (code) =>
        (await call(MANAGER, `yuzhu-equip/inspectmachine/list?machineCode=${code}`)).records[0].id;
      const [old, made] = [await at('JJ-CNC-002'), await at('JJ-CNC-003')];
      const machines = [old, made].map((machineId) => ({ machineId, firstDueDate: '2099-01-01' }));
      const { id: configId } = await call(MANAGER, 'yuzhu-equip/inspectConfig/save', {
        configType: 2,
        configCode: 'BY-TWICE',
        configName: '精度保养',
        triggerType: 1,
        cycleValue: 6,
        cycleUnit: 3,
        needStop: 0,
        items: [{ itemName: '导轨清洁', valueType: 2 }],
        machines,
      });
      const people = await call(MANAGER, `blade-user/select?keyword=${encodeURIComponent('蒋平')}`);
      const [{ id: userIds }] = people.records ?? people;
      const dueDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const order = (machineId) => call(MANAGER, `${ORDERS}/save`, { configId, machineId, dueDate, userIds });
      return { before: () => order(old), after: () => order(made) };
    }

    /** Does the work of an order, as a program does. */
    async function doIt({ id }) {
      await act(REPAIRER, id, 'start', { safetyConfirmed: 1 });
      const { details } = await call(REPAIRER, `${ORDERS}/detail?id=${id}`);
      const now = new Date();
      const begun = new Date(now);
      begun.setSeconds(0, 0);
      const values = {
        startTime: begun.toISOString(),
        finishTime: now.toISOString(),
        details: details.map((row) => ({ id: row.id, result: 1 })),
      };
      await act(REPAIRER, id, 'submit', values, 'maintainSubmit');
    }

    async function verify(page, order) {
      await page.goto(`/maintain/order/${order.id}`);
      await bar(page, words.check).click();
      const form = page.locator('.ant-drawer-open');
      await form.locator('.x-choice').filter({ hasText: words.pass }).first().click();
      await form.getByRole('button', { name: words.check, exact: true }).click();
      await state(page).filter({ hasText: words.done }).waitFor();
    }

    test('maintenance is looked at by a second person, for new orders', async () => {
      const { before, after } = await plant();
      const old = await before();

      const page = await person(DESIGNER, DESK, language);
      await page.goto('/flow/model');
      const row = page.getByRole('row').filter({ hasText: 'maintainorder' });
      await row.getByText(words.general).waitFor();
      await row.getByRole('button', { name: words.design, exact: true }).click();
      await page.waitForURL('**/flow/model/design/*');
      await element(page, 'start').waitFor();
      await settled(page);

      // The step stands before the verification, whose input the record's operations read: in place of the way to it.
      const find = async (id) => {
        await page.locator('.x-designer-canvas svg').first().focus();
        await page.keyboard.press('Control+f');
        await page.locator('.djs-search-input input').fill(id);
        await page.locator('.djs-search-result').filter({ hasText: id }).first().click();
      };
      await find('needsToCheck');
      await page.locator('.djs-context-pad.open [data-action="delete"]').click();
      await find('needsCheck');
      await page.locator('.djs-context-pad.open [data-action="append.userTask"]').click();
      const made = element(page, 'userTask_1');
      await made.waitFor();
      await page.locator('.djs-direct-editing-content').fill(words.step);
      await page.keyboard.press('Enter');
      await panel(page).getByRole('heading', { name: words.step }).waitFor();
      await panel(page)
        .getByRole('region', { name: words.candidates })
        .getByRole('button', { name: words.addRule })
        .click();
      await choose(
        page,
        panel(page).locator('.x-rule').getByLabel(words.role, { exact: true }),
        words.leader,
      );
      // Whoever finds something says so to those who verify: these alone can send the order back.
      await choose(page, panel(page).getByLabel(words.addOutcome), words.agree);
      await settled(page);
      await page.locator('.djs-context-pad.open [data-action="append"]').click();
      await page.locator('.djs-popup input').fill('check');
      await page.locator('.djs-popup [data-id="connect.check"]').click();
      await element(page, 'needsCheck').click();
      const way = panel(page).locator('.x-ways > li').filter({ hasText: words.step });
      await way.getByRole('radio').check();
      await page.locator('.x-designer-count').filter({ hasText: words.noErrors }).waitFor();
      assert.deepEqual(await findings(page), []);
      await look(page, `checkers-drawn-${language}`);

      await page.getByRole('button', { name: words.deploy, exact: true }).click();
      const form = page.locator('.ant-drawer-open');
      await form.getByLabel(words.note, { exact: true }).fill('保养后由维修班长复核');
      await form.getByRole('checkbox').check();
      await look(page, `checkers-deploy-${language}`);
      await form.getByRole('button', { name: words.submit, exact: true }).click();
      await page.getByRole('link', { name: words.deployed }).waitFor();
      await page.goto('/flow/model');
      await row.getByText(words.own).waitFor();

      const order = await after();
      await doIt(old);
      await doIt(order);
      const waits = async ({ id }) => (await call(MANAGER, `${ORDERS}/detail?id=${id}`)).openTask.nodeName;
      assert.deepEqual([await waits(old), await waits(order)], ['验收', words.step]);

      // Nobody verifies before the first has looked.
      const verifier = await person(SECOND, PHONE, language);
      await verifier.goto(`/maintain/order/${order.id}`);
      await state(verifier).filter({ hasText: words.toCheck }).waitFor();
      assert.equal(await bar(verifier, words.check).count(), 0);
      await look(verifier, `checkers-before-${language}`);

      // The first claims it at the desk, reads the work on the order, and agrees.
      const first = await person(FIRST, DESK, language);
      await first.goto('/work/claim');
      const task = first.getByRole('row').filter({ hasText: order.orderNo });
      await task.getByText(words.step).waitFor();
      await task.getByRole('button', { name: words.claim, exact: true }).click();
      await task.waitFor({ state: 'detached' });
      await first.goto('/work/todo');
      await task.getByRole('button', { name: words.handle, exact: true }).click();
      await first.waitForURL('**/work/process/maintain/handle/**');
      await first.locator('.x-task').getByText(words.step).waitFor();
      assert.deepEqual(await findings(first), []);
      await look(first, `checkers-first-${language}`);
      await first.getByRole('button', { name: words.agree, exact: true }).click();
      await first.waitForURL('**/work/todo');

      // The second verifies it on the phone, and the order is done; what was open before is verified once.
      await verify(verifier, order);
      await verify(verifier, old);
      await verifier.goto(`/maintain/order/${order.id}`);
      await settled(verifier);
      await look(verifier, `checkers-done-${language}`);
      const titles = await verifier.locator('.x-timeline-title').allTextContents();
      assert.equal(titles.at(-2), words.passed);
      // The other one was verified by one person, as it began.
      const { logs } = await call(MANAGER, `${ORDERS}/detail?id=${old.id}`);
      assert.deepEqual(
        logs.map(({ action }) => action).filter((action) => action !== 'timer.fire'),
        ['save', 'start', 'submit', 'check'],
      );
      assert.deepEqual(faults, []);
    });
  });
}
