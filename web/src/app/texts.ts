/** Which texts a page needs, and fetching them together with it. */
import { type Area, loadTexts } from '@/i18n';

/** What the shell speaks before any page is there: itself, the kit, and the titles of pages about tasks. */
export const SHELL: readonly Area[] = ['app', 'kit', 'work'];

/** The texts that a page speaks besides those of the shell, by its file or the nearest folder above it. A page that
 * speaks others fails texts.test.ts, which follows its imports. */
const AREAS: Readonly<Record<string, readonly Area[]>> = {
  'app/PlateEntry': ['plates'],
  'app/Unsent': ['unsent'],
  'screens/authority': ['access', 'people'],
  'screens/base': ['system'],
  'screens/desk': [],
  'screens/desk/notice.page': ['system'],
  'screens/desk/sheet.page': ['log'],
  'screens/dict-horizontal': ['system'],
  'screens/dict-vertical': ['system'],
  'screens/equip': ['machines', 'system'],
  'screens/equip/plate.page': ['machines', 'plates', 'system'],
  'screens/equip/scan.page': ['machines', 'plates', 'repair'],
  'screens/base/required.page': ['plates'],
  'screens/equip/inspectmachine.chooser': ['machines'],
  'screens/flow': ['flow'],
  'screens/flow/model.page': ['compare', 'designer', 'flow'],
  'screens/flow/model/compare.page': ['compare', 'flow'],
  'screens/flow/model/times.page': ['times'],
  'screens/home': ['home', 'repair'],
  'screens/info': ['info'],
  'screens/inspect': ['inspect', 'machines'],
  'screens/inspect/forecast.page': ['rounds'],
  'screens/inspect/make': ['rounds'],
  'screens/inspect/order': ['inspect', 'machines', 'rounds', 'unsent'],
  'screens/inspect/order.page': ['rounds', 'unsent'],
  'screens/inspect/rule.page': ['rounds'],
  'screens/leave': ['leave'],
  'screens/equip/stoppage.page': ['machines', 'stoppages'],
  'screens/equip/stoptable.page': ['machines', 'stoppages'],
  'screens/equip/machine': ['log', 'machines', 'repair'],
  'screens/equip/machines': ['machines'],
  'screens/monitor': ['log', 'people'],
  'screens/monitor/job.page': ['jobs'],
  'screens/monitor/runs': ['jobs'],
  'screens/repair': ['repair'],
  'screens/resource': ['system'],
  'screens/shifts': ['shifts'],
  'screens/system': ['access', 'people', 'system'],
  'screens/work': ['absence'],
  workflow: [],
  'workflow/designer': ['compare', 'designer', 'dryrun', 'flow', 'panel'],
};

/** Returns the areas of a page by its path below `src`, without the ending. */
export function areasOf(file: string): readonly Area[] {
  const found = AREAS[file];
  if (found) return found;
  const above = file.lastIndexOf('/');
  return above < 0 ? [] : areasOf(file.slice(0, above));
}

/** Fetches a page together with its texts, so that it is never drawn with keys in their place. `file` is where it stands
 * below `src`, or seen from here. */
export async function withTexts<Module>(file: string, load: () => Promise<Module>): Promise<Module> {
  const areas = areasOf(file.replace(/^\.\.\//, '').replace(/\.tsx?$/, ''));
  const [module] = await Promise.all([load(), loadTexts(areas)]);
  return module;
}
