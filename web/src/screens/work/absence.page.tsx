/** Who covers for whom: everybody's own absences; administrators see and keep those of others. */

import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { absence } from '@/api/nouns/absence';
import { useLanguage, useTranslation } from '@/i18n';
import { type FieldProps, SelectField } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import type { NounControl } from '@/kit/useNoun';
import { fromWire, moment } from '@/lib/dates';
import { useRights } from '@/session/rights';

type Row = RowOf<typeof absence>;

/** Any of the company's processes; none means all. */
function ProcessesField(props: FieldProps) {
  const language = useLanguage();
  const { data, isFetching } = useQuery({
    queryKey: ['absence', 'processes', language],
    queryFn: ({ signal }) => api.get('/blade-flow/absence/processes', undefined, signal),
  });
  return <SelectField {...props} options={data ?? []} loading={isFetching} multiple />;
}

function State({ row: { startTime, endTime } }: { row: Row }) {
  const { t } = useTranslation();
  const now = dayjs();
  if (fromWire(endTime)?.isBefore(now)) return <ToneTag tone="off">{t('absence.over')}</ToneTag>;
  return fromWire(startTime)?.isAfter(now) ? (
    <ToneTag tone="quiet">{t('absence.later')}</ToneTag>
  ) : (
    <ToneTag tone="active">{t('absence.now')}</ToneTag>
  );
}

/** Opens the form once with the period that another page, such as that of a leave, has put into the address. */
function Proposed({ control }: { control: NounControl<typeof absence> }) {
  const [params, setParams] = useSearchParams();
  const isOpen = useRef(false);
  const [from, until] = [params.get('from'), params.get('until')];
  useEffect(() => {
    if (!from || !until || isOpen.current) return;
    isOpen.current = true;
    control.openForm(undefined, { startTime: from, endTime: until });
    setParams({}, { replace: true });
  }, [from, until, control, setParams]);
  return null;
}

export default function Absences() {
  const { t } = useTranslation();
  const keepsOthers = useRights()('absence_others');
  return (
    <NounPage
      noun={absence}
      name="userName"
      columns={[
        'userName',
        'coverName',
        'startTime',
        {
          key: 'endTime',
          width: 230,
          render: (row) => (
            <>
              {moment(row.endTime)} <State row={row} />
            </>
          ),
        },
        'processesName',
        'reason',
      ]}
      filters={
        keepsOthers ? ['userId', 'coverId', 'startTime', 'endTime'] : ['coverId', 'startTime', 'endTime']
      }
      form={[
        ...(keepsOthers
          ? [{ key: 'forUserId' as const, hint: t('absence.userHint'), on: 'add' as const }]
          : []),
        'coverId',
        'startTime',
        'endTime',
        {
          key: 'processes',
          hint: t('absence.processesHint'),
          control: (props) => <ProcessesField {...props} />,
        },
        { key: 'handsOver', hint: t('absence.handsOverHint') },
        { key: 'reason', full: true },
      ]}
      called={({ userName, coverName }) => `${userName} → ${coverName}`}
      card={(row) => ({
        title: `${row.userName} → ${row.coverName}`,
        state: <State row={row} />,
        meta: [
          t('absence.period', { from: moment(row.startTime), until: moment(row.endTime) }),
          row.processesName,
          row.reason,
        ].filter(Boolean),
      })}
      actions={(control) => <Proposed control={control} />}
      empty={{ title: t('absence.empty'), hint: t('absence.emptyHint') }}
    />
  );
}
