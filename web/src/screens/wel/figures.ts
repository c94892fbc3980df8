/** The figures of the boards: asked again every minute, also where nobody touches the screen. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';

const CALL = '/yuzhu-equip/homeMetric';
/** Milliseconds after which figures are read again. */
const AGAIN = 60_000;

/** What every call of a board is asked with: the department, or all of them. */
export interface Asked {
  deptId?: string;
}

export interface OverTime extends Asked {
  range: 'today' | 'week' | 'month' | 'reportMonth' | 'year';
}

export const known = (value: number | null | undefined) =>
  value === null || value === undefined ? '-' : value.toLocaleString('en-US');
export const rate = (value: number | null | undefined) =>
  value === null || value === undefined ? '-' : `${value}%`;

/** How many days are left until something is due, or since it was. */
export function dueWords(t: TFunction, days: number): string {
  if (days === 0) return t('dashboard.dueToday');
  return days < 0 ? t('dashboard.late', { count: -days }) : t('dashboard.left', { count: days });
}

function useFigures<Data>(
  name: string,
  asked: Asked,
  load: (signal: AbortSignal) => Promise<Data>,
): UseQueryResult<Data> {
  return useQuery({
    queryKey: ['homeMetric', name, asked],
    queryFn: ({ signal }) => load(signal),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
    refetchIntervalInBackground: true,
  });
}

export function useTotals(asked: Asked): UseQueryResult<Wire<'Cumulative'>> {
  return useFigures('totals', asked, (signal) => api.get(`${CALL}/cumulativeData`, asked, signal));
}

export function useInspection(asked: OverTime): UseQueryResult<Wire<'InspectionOverview'>> {
  return useFigures('inspection', asked, (signal) =>
    api.get(`${CALL}/inspectionOverviewData`, asked, signal),
  );
}

export function useMaintenance(asked: OverTime): UseQueryResult<Wire<'MaintenanceOverview'>> {
  return useFigures('maintenance', asked, (signal) =>
    api.get(`${CALL}/equipmentMaintenanceOverview`, asked, signal),
  );
}

export function useRepair(asked: Asked): UseQueryResult<Wire<'RepairReport'>> {
  return useFigures('repair', asked, (signal) => api.get(`${CALL}/repairWorkloadReport`, asked, signal));
}
