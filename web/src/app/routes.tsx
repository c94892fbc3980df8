/** Every page behind the sign-in: those of the menu by their files' names, and one line for each of the others. */
import type { ParseKeys } from 'i18next';
import { type ComponentType, lazy } from 'react';
import { CASES } from '@/api/cases';
import { site } from '@/site';
import { casePage } from './cases';
import './choosers';
import type { Route } from './route';
import { withTexts } from './texts';

type Load = () => Promise<{ default: ComponentType }>;

/** `file` is where the page stands below `src`; its texts come with it. */
function page(path: string, title: ParseKeys, file: string, load: Load, menu?: Route['menu']): Route {
  return { path, title, Screen: lazy(() => withTexts(file, load)), menu };
}

const queue = (name: 'Claim' | 'Sent' | 'Done'): Load => {
  return async () => ({ default: (await import('@/workflow/TaskList'))[name] });
};

/** `screens/system/post.page.tsx` is the page of the menu entry with the path `/system/post`. */
const found: readonly Route[] = Object.entries(
  import.meta.glob<{ default: ComponentType }>('../screens/**/*.page.tsx'),
).map(([file, load]) => ({
  path: file.replace(/^\.\.\/screens/, '').replace(/\.page\.tsx$/, ''),
  Screen: lazy(() => withTexts(file, load)),
}));

/** Pages that no menu entry names: what they are called, and who may open them. */
const BESIDE_THE_MENU: Readonly<Record<string, Pick<Route, 'title' | 'menu'>>> = {
  '/info/index': { title: 'app.pages.info', menu: true },
  '/dict-horizontal/index': { title: 'app.pages.dictionaries', menu: '/system/dict' },
  '/dict-vertical/index': { title: 'app.pages.dictionaries', menu: '/system/dict' },
  '/flow/model/compare': { title: 'app.pages.compare', menu: '/flow/model' },
  '/flow/model/times': { title: 'app.pages.times', menu: '/flow/model' },
};

/** The pages of a record that a process moves, and of the list of all where there is one. */
function pagesOf({ name, segment, title, list }: (typeof CASES)[number]): Route[] {
  const listed: Route[] = list
    ? [
        { path: list, Screen: casePage(name, 'CaseList') },
        { path: `${list}/:id`, title, Screen: casePage(name, 'CaseRecordPage'), menu: list },
      ]
    : [];
  const at = `/work/process/${segment}`;
  return [
    {
      path: `${at}/form/:processDefinitionId`,
      title,
      Screen: casePage(name, 'CaseForm'),
      menu: '/work/start',
    },
    {
      path: `${at}/handle/:taskId/:processInstanceId/:businessId`,
      title: 'work.task',
      Screen: casePage(name, 'CaseTask'),
      menu: '/work/todo',
    },
    {
      path: `${at}/detail/:processInstanceId/:businessId`,
      title: 'work.instance',
      Screen: casePage(name, 'CaseProcess'),
      menu: '/work/send',
    },
    ...listed,
  ];
}

export const routes: readonly Route[] = [
  ...found.map((route) => ({ ...route, ...BESIDE_THE_MENU[route.path] })),
  page('/myiframe/:code', 'app.frame', 'app/Frame', () => import('./Frame'), true),
  page(site.home, 'app.pages.home', 'screens/home', () => import('@/screens/home')),
  page(
    '/task/schedulelog/:uuid',
    'app.pages.runs',
    'screens/monitor/runs',
    () => import('@/screens/monitor/runs'),
    '/monitor/job',
  ),
  page('/work/start', 'work.start', 'workflow/StartList', () => import('@/workflow/StartList')),
  page('/work/todo', 'work.todo', 'workflow/inbox/Inbox', () => import('./inbox')),
  page('/work/claim', 'work.claim', 'workflow/TaskList', queue('Claim')),
  page('/work/send', 'work.send', 'workflow/TaskList', queue('Sent')),
  page('/work/done', 'work.done', 'workflow/TaskList', queue('Done')),
  page('/work/copy', 'work.copy', 'workflow/CopyList', () => import('@/workflow/CopyList')),
  page(
    '/work/process/own/form/:processDefinitionId',
    'work.own.start',
    'workflow/own/start',
    () => import('@/workflow/own/start'),
    true,
  ),
  page(
    '/work/process/own/handle/:taskId/:processInstanceId/:businessId',
    'work.task',
    'workflow/own/handle',
    () => import('@/workflow/own/handle'),
    '/work/todo',
  ),
  page(
    '/work/process/own/detail/:processInstanceId/:businessId',
    'work.instance',
    'workflow/own/detail',
    () => import('@/workflow/own/detail'),
    '/work/send',
  ),
  ...CASES.flatMap(pagesOf),
  page(
    '/flow/model/design/:id',
    'work.design',
    'workflow/designer/page',
    () => import('@/workflow/designer/page'),
    '/flow/model',
  ),
  page(
    '/flow/follow/:processInstanceId',
    'work.instance',
    'screens/flow/followed',
    () => import('@/screens/flow/followed'),
    '/flow/follow',
  ),
  {
    path: '/maintain/new',
    title: 'app.pages.maintenance',
    Screen: casePage('maintainorder', 'CaseForm'),
    menu: '/maintain/order',
  },
  {
    path: '/repair/report',
    title: 'app.pages.report',
    Screen: casePage('repairorder', 'CaseForm'),
  },
  page(
    '/inspect/config/new',
    'app.pages.standard',
    'screens/inspect/standard',
    () => import('@/screens/inspect/standard'),
    '/inspect/config',
  ),
  page(
    '/inspect/config/:id/edit',
    'app.pages.standard',
    'screens/inspect/standard',
    () => import('@/screens/inspect/standard'),
    '/inspect/config',
  ),
  page(
    '/maintain/config/new',
    'app.pages.standard',
    'screens/maintain/standard',
    () => import('@/screens/maintain/standard'),
    '/maintain/config',
  ),
  page(
    '/maintain/config/:id/edit',
    'app.pages.standard',
    'screens/maintain/standard',
    () => import('@/screens/maintain/standard'),
    '/maintain/config',
  ),
  page(
    '/inspect/group/:id',
    'app.pages.route',
    'screens/inspect/route',
    () => import('@/screens/inspect/route'),
    '/inspect/group',
  ),
  page(
    '/inspect/rule/make',
    'app.pages.makeTasks',
    'screens/inspect/make',
    () => import('@/screens/inspect/make'),
    '/inspect/rule',
  ),
  page(
    '/inspect/order/:id',
    'app.pages.task',
    'screens/inspect/order',
    () => import('@/screens/inspect/order'),
    '/inspect/order',
  ),
  page(
    '/equip/machine',
    'app.pages.machines',
    'screens/equip/machines',
    () => import('@/screens/equip/machines'),
  ),
  page(
    '/equip/machine/:id',
    'app.pages.machine',
    'screens/equip/machine',
    () => import('@/screens/equip/machine'),
    '/equip/machine',
  ),
  page(
    '/shifts/plan/:id',
    'app.pages.schedule',
    'screens/shifts/month',
    () => import('@/screens/shifts/month'),
    '/shifts/plan',
  ),
  page(
    '/shifts/plan/:id/edit',
    'app.pages.shiftPlan',
    'screens/shifts/editor',
    () => import('@/screens/shifts/editor'),
    '/shifts/plan',
  ),
];
