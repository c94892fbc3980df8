/** How much a company uses of what the platform limits. */
import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ErrorState, PageSkeleton } from '@/kit/states';

type Usage = Wire<'Usage'>;

export const MEGABYTE = 1024 * 1024;
const NEARLY = 80;

export function useUsage(id: string | undefined) {
  return useQuery({
    queryKey: ['tenant', 'usage', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => api.get('/blade-system/tenant/usage', { id: id ?? '' }, signal),
    staleTime: 0,
  });
}

export function UsageDrawer({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useUsage(id);
  return (
    <Drawer open title={t('people.tenant.usageOf', { name: title })} size={420} onClose={onClose}>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : data ? (
        data.map((row) => <Bar key={row.kind} row={row} />)
      ) : (
        <PageSkeleton rows={4} />
      )}
    </Drawer>
  );
}

function Bar({ row }: { row: Usage }) {
  const { t } = useTranslation();
  const { kind, kindName, most, used } = row;
  const amount = (number: number) =>
    kind === 'files'
      ? `${(number / MEGABYTE).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`
      : number.toLocaleString();
  const limited = most >= 0;
  const percent = limited ? Math.min(100, most === 0 ? 100 : Math.floor((used / most) * 100)) : 0;
  const status = percent >= 100 ? 'exception' : 'normal';
  return (
    <section className="x-usage">
      <div className="x-usage-head">
        <strong>{kindName}</strong>
        <span>
          {limited
            ? t('people.tenant.usedOf', { used: amount(used), most: amount(most) })
            : t('people.tenant.usedOfAny', { used: amount(used) })}
        </span>
      </div>
      {limited && <Progress percent={percent} status={status} aria-label={kindName} />}
      {limited && percent >= NEARLY && (
        <div className="x-hint">{t(percent >= 100 ? 'people.tenant.full' : 'people.tenant.nearly')}</div>
      )}
    </section>
  );
}
