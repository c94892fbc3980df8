/** The maintenance that is planned for an asset: what is due when, and the order that is open for it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import '@/kit/details.css';

const ORDER = '/maintain/order';
const TONES: Readonly<Record<number, Tone>> = { 1: 'quiet', 2: 'active', 3: 'waiting', 4: 'bad' };

export function MachineUpkeep({ id, unit }: { id: string; unit: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['maintainorder', 'standards', id],
    queryFn: ({ signal }) =>
      api.get('/yuzhu-equip/maintainorder/getMaintainConfig', { machineId: id }, signal),
  });
  const rows = data?.filter((row) => row.linked === 1) ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title={t('upkeep.ofMachine')}>
      <div className="x-scroll">
        <table className="x-details-table">
          <thead>
            <tr>
              <th>{t('upkeep.standard')}</th>
              <th>{t('upkeep.cycle')}</th>
              <th>{t('upkeep.lastDone')}</th>
              <th>{t('upkeep.nextDue')}</th>
              <th>{t('upkeep.state')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const next = [
                row.nextDueDate,
                row.nextDueHours !== null && `${row.nextDueHours} ${unit}`,
                row.predictedDate && t('upkeep.predicted', { date: row.predictedDate }),
              ].filter(Boolean);
              return (
                <tr key={row.configId}>
                  <td>
                    {row.openOrderId ? (
                      <Link to={`${ORDER}/${row.openOrderId}`}>{row.configName}</Link>
                    ) : (
                      row.configName
                    )}
                  </td>
                  <td>{row.cycleText}</td>
                  <td>{row.lastDoneTime?.slice(0, 10) ?? '-'}</td>
                  <td>{next.length > 0 ? next.join(' · ') : t('upkeep.atOnce')}</td>
                  <td>
                    {row.paused === 1 ? (
                      <ToneTag tone="off">{t('upkeep.paused')}</ToneTag>
                    ) : (
                      <ToneTag tone={TONES[row.dueState ?? 1] ?? 'quiet'}>{row.dueStateName}</ToneTag>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
