/** A proposal that evens out the days of the teams: what it would move and why; only what is accepted is moved. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { ApiError, api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState } from '@/kit/states';
import { hours } from './days';

export function Proposal({ span, onClose }: { span: { from: string; to: string }; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [said, setSaid] = useState<Readonly<Record<string, { isMoved: number; message: string }>>>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { data, error } = useQuery({
    queryKey: ['maintaincalendar', 'proposal', span],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/maintaincalendar/proposal', span, signal),
    // It is made of what is there now.
    staleTime: 0,
    gcTime: 0,
  });
  const moves = data ?? [];
  const chosen = moves.filter((move) => !left.has(move.id) && said[move.id]?.isMoved !== 1);
  return (
    <FormDrawer<object, unknown>
      title={t('upkeep.balance.title')}
      note={t('upkeep.balance.note')}
      initial={{}}
      loading={!data && !error}
      loadError={error ?? undefined}
      submit={async () => {
        if (chosen.length === 0) return;
        const results = await api.post('/yuzhu-equip/maintaincalendar/accept', {
          moves: chosen.map(({ id, lockVersion, target }) => ({ id, lockVersion, target })),
        });
        const refused = results.filter(({ isMoved }) => isMoved === 0);
        setSaid((before) => ({
          ...before,
          ...Object.fromEntries(results.map(({ id, isMoved, message }) => [id, { isMoved, message }])),
        }));
        if (refused.length === 0) return;
        // What was moved is shown at once; the form stays for the rows that were not.
        await client.invalidateQueries({ queryKey: ['maintainorder'] });
        throw new ApiError(400, t('upkeep.balance.some', { n: refused.length, all: results.length }));
      }}
      submitText={t('upkeep.balance.accept', { count: chosen.length })}
      invalidates={[['maintaincalendar'], ['maintainorder']]}
      onClose={onClose}
    >
      {data && moves.length === 0 && (
        <EmptyState title={t('upkeep.balance.none')} hint={t('upkeep.balance.noneHint')} />
      )}
      <ul className="x-upkeep-moves x-full">
        {moves.map((move) => (
          <li key={move.id}>
            <Checkbox
              checked={!left.has(move.id)}
              disabled={said[move.id]?.isMoved === 1}
              onChange={(event) =>
                setLeft((before) => {
                  const next = new Set(before);
                  if (event.target.checked) next.delete(move.id);
                  else next.add(move.id);
                  return next;
                })
              }
            >
              <strong>
                {move.machineName} {move.configName}
              </strong>{' '}
              <span className="x-quiet">{move.orderNo}</span>
            </Checkbox>
            <p>
              {t('upkeep.balance.move', { from: move.origin, to: move.target, due: move.dueDate })}
              {' · '}
              {move.reason}
            </p>
            {said[move.id] && (
              <p role="status">
                <ToneTag tone={said[move.id]?.isMoved === 1 ? 'good' : 'bad'}>
                  {said[move.id]?.message || t('upkeep.balance.moved')}
                </ToneTag>
              </p>
            )}
            <p className="x-quiet">
              {t('upkeep.balance.load', {
                team: move.teamName,
                day: move.origin.slice(5),
                before: hours(move.originLoad),
                after: hours(move.originAfter),
                hours: hours(move.originHours),
              })}
              {' · '}
              {t('upkeep.balance.load', {
                team: move.teamName,
                day: move.target.slice(5),
                before: hours(move.targetLoad),
                after: hours(move.targetAfter),
                hours: hours(move.targetHours),
              })}
            </p>
          </li>
        ))}
      </ul>
    </FormDrawer>
  );
}
