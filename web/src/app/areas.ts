/** Which texts a page needs. The build reads it too: what is kept for a time without a network has its texts with it. */
import type { Area } from '@/i18n';

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
  'screens/equip/machine': ['log', 'machines', 'repair', 'upkeep'],
  'screens/equip/machines': ['machines'],
  'screens/maintain': ['inspect', 'maintain', 'machines', 'repair', 'rounds', 'spares'],
  'screens/maintain/calendar.page': ['upkeep'],
  'screens/maintain/config.page': ['inspect', 'upkeep'],
  'screens/maintain/standard': ['inspect', 'upkeep'],
  'screens/monitor': ['log', 'people'],
  'screens/monitor/job.page': ['jobs'],
  'screens/monitor/runs': ['jobs'],
  'screens/repair': ['repair', 'spares'],
  'screens/repair/workload.page': ['reports'],
  'screens/resource': ['system'],
  'screens/shared/Keys': ['keys'],
  'screens/shared/Release': ['release'],
  'screens/spare': ['plates', 'spares', 'system'],
  'screens/shifts': ['shifts'],
  'screens/system': ['access', 'people', 'system'],
  'screens/wel': ['dashboard'],
  'screens/wel/kpi.page': ['reports'],
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
