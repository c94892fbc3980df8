/** Every page behind the sign-in: those of the menu by their files' names, and one line for each of the others. */
import type { ParseKeys } from 'i18next';
import { type ComponentType, lazy } from 'react';
import { site } from '@/site';

export interface Route {
  path: string;
  /** Without one it is the menu entry's name. */
  title?: ParseKeys;
  Screen: ComponentType;
  /** Opens only for those who have this path in their menu; by default a page's own path. `true`: open to all signed in. */
  menu?: string | true;
}

type Load = () => Promise<{ default: ComponentType }>;

function page(path: string, title: ParseKeys, load: Load, menu?: Route['menu']): Route {
  return { path, title, Screen: lazy(load), menu };
}

const queue = (name: 'Todo' | 'Claim' | 'Sent' | 'Done'): Load => {
  return async () => ({ default: (await import('@/workflow/TaskList'))[name] });
};

/** `screens/system/post.page.tsx` is the page of the menu entry with the path `/system/post`. */
const found: readonly Route[] = Object.entries(
  import.meta.glob<{ default: ComponentType }>('../screens/**/*.page.tsx'),
).map(([file, load]) => ({
  path: file.replace(/^\.\.\/screens/, '').replace(/\.page\.tsx$/, ''),
  Screen: lazy(load),
}));

/** Pages that no menu entry names: what they are called, and who may open them. */
const BESIDE_THE_MENU: Readonly<Record<string, Pick<Route, 'title' | 'menu'>>> = {
  '/info/index': { title: 'info.title', menu: true },
  '/dict-horizontal/index': { title: 'system.dictionaries', menu: '/system/dict' },
  '/dict-vertical/index': { title: 'system.dictionaries', menu: '/system/dict' },
  '/flow/model/compare': { title: 'flow.compareTitle', menu: '/flow/model' },
  '/flow/model/times': { title: 'flow.timesTitle', menu: '/flow/model' },
};

export const routes: readonly Route[] = [
  ...found.map((route) => ({ ...route, ...BESIDE_THE_MENU[route.path] })),
  page('/myiframe/:code', 'app.frame', () => import('./Frame'), true),
  page(site.home, 'home.title', () => import('@/screens/home')),
  page('/work/start', 'work.start', () => import('@/workflow/StartList')),
  page('/work/todo', 'work.todo', queue('Todo')),
  page('/work/claim', 'work.claim', queue('Claim')),
  page('/work/send', 'work.send', queue('Sent')),
  page('/work/done', 'work.done', queue('Done')),
  page(
    '/work/process/repair/handle/:taskId/:processInstanceId/:businessId',
    'work.task',
    () => import('@/screens/repair/task'),
    '/work/todo',
  ),
  page(
    '/work/process/repair/detail/:processInstanceId/:businessId',
    'work.instance',
    () => import('@/screens/repair/process'),
    '/work/send',
  ),
  page(
    '/work/process/own/form/:processDefinitionId',
    'work.own.start',
    () => import('@/workflow/own/start'),
    true,
  ),
  page(
    '/work/process/own/handle/:taskId/:processInstanceId/:businessId',
    'work.task',
    () => import('@/workflow/own/handle'),
    '/work/todo',
  ),
  page(
    '/work/process/own/detail/:processInstanceId/:businessId',
    'work.instance',
    () => import('@/workflow/own/detail'),
    '/work/send',
  ),
  page(
    '/work/process/leave/form/:processDefinitionId',
    'leave.formTitle',
    () => import('@/screens/leave/form'),
    '/work/start',
  ),
  page(
    '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
    'work.task',
    () => import('@/screens/leave/task'),
    '/work/todo',
  ),
  page(
    '/work/process/leave/detail/:processInstanceId/:businessId',
    'work.instance',
    () => import('@/screens/leave/process'),
    '/work/send',
  ),
  page('/flow/model/design/:id', 'work.design', () => import('@/workflow/designer/page'), '/flow/model'),
  page('/repair/report', 'repair.reportTitle', () => import('@/screens/repair/report')),
  page('/repair/order', 'repair.title', () => import('@/screens/repair/list')),
  page('/repair/order/:id', 'repair.order', () => import('@/screens/repair/order'), '/repair/order'),
  page('/equip/machine', 'machines.title', () => import('@/screens/machines')),
  page('/equip/machine/:id', 'machines.one', () => import('@/screens/machine'), '/equip/machine'),
];
