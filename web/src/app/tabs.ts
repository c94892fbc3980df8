/** Visited pages as tabs: the first is home and stays, closing the one in front leads to the one before it. */
import { own } from '@/session/own';
import { site } from '@/site';

export interface Tab {
  /** What tells tabs apart. */
  path: string;
  /** Where the tab leads: the path with what was asked for there. */
  address: string;
  /** What the page calls what it shows, once it knows. */
  content?: string;
}

const HOME: Tab = { path: site.home, address: site.home };

function isTab(value: Partial<Tab> | null): boolean {
  const known = typeof value?.path === 'string' && typeof value.address === 'string';
  return known && (value.content === undefined || typeof value.content === 'string');
}

export const tabs = own<readonly Tab[]>(
  'xunwei.tabs',
  [HOME],
  (value) => Array.isArray(value) && value.length > 0 && value.every(isTab) && value[0].path === HOME.path,
);

/** The tabs after a page was visited. */
export function visited(open: readonly Tab[], path: string, address: string): readonly Tab[] {
  const known = open.find((tab) => tab.path === path);
  if (!known) return [...open, { path, address }];
  if (known.address === address) return open;
  return open.map((tab) => (tab === known ? { ...tab, address } : tab));
}

/** The tabs once a page has told what it shows. */
export function named(open: readonly Tab[], path: string, content: string): readonly Tab[] {
  const known = open.find((tab) => tab.path === path);
  if (!known || known.content === content) return open;
  return open.map((tab) => (tab === known ? { ...tab, content } : tab));
}

/** The tabs without one of them, and where to go when it was in front. */
export function closed(open: readonly Tab[], path: string): { open: readonly Tab[]; next: Tab } {
  const index = open.findIndex((tab) => tab.path === path);
  if (index <= 0) return { open, next: open[0] ?? HOME };
  return { open: open.filter((tab) => tab.path !== path), next: open[index - 1] ?? HOME };
}

/** Home and this one. */
export function onlyThis(open: readonly Tab[], path: string): readonly Tab[] {
  return open.filter((tab, index) => index === 0 || tab.path === path);
}

export function resetTabs(): void {
  tabs.set([HOME]);
}

export function visit(path: string, address: string): void {
  change((open) => visited(open, path, address));
}

export function name(path: string, content: string): void {
  change((open) => named(open, path, content));
}

function change(edit: (open: readonly Tab[]) => readonly Tab[]): void {
  const before = tabs.get();
  const after = edit(before);
  if (after !== before) tabs.set(after);
}
