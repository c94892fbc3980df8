/** Readings of the counters of assets. */
import { Link } from 'react-router';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import { meterreading } from '@/api/nouns/meterreading';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { exact } from '@/lib/money';
import { now, type Reading, ResetBaseField, TOUCHED } from './ReadingFields';

const MACHINES = '/equip/machine';

export default function MeterReadings() {
  const { t } = useTranslation();
  const ofAsset = useLabels(inspectmachine);
  const value = (row: Reading) => (
    <span className="x-nowrap">
      {row.isReset === 1 && <ToneTag tone="waiting">{t('machines.meter.reset')}</ToneTag>}{' '}
      {exact(row.value, 1)} {row.meterUnitName}
    </span>
  );
  return (
    <NounPage
      noun={meterreading}
      name="machineName"
      called={(row) => `${row.machineName} ${moment(row.readTime)} ${row.value}`}
      columns={[
        { key: 'machineName', width: 180 },
        'readTime',
        { key: 'value', width: 190 },
        'delta',
        { key: 'userName', width: 110 },
        { key: 'remark', width: 160 },
        { key: 'sourceName', width: 120, extra: true },
        { key: 'readingNo', width: 140, nowrap: true, extra: true },
      ]}
      show={{
        machineName: (row) => (
          <Link to={`${MACHINES}/${row.machineId}`} onClick={(event) => event.stopPropagation()}>
            {row.machineName}
          </Link>
        ),
        value,
        delta: (row) => (typeof row.delta === 'number' ? exact(row.delta, 1) : '-'),
      }}
      card={(row) => ({
        title: row.machineName,
        state: value(row),
        meta: [moment(row.readTime), [row.userName, row.remark].filter(Boolean).join(' · ')],
      })}
      filters={[
        { kind: 'text', name: 'machineName', label: ofAsset('machineName') },
        'readTime',
        'machineId',
        'userId',
        'isReset',
        'source',
        { kind: 'dict', name: 'meterUnit', label: ofAsset('meterUnit'), dict: 'meter_unit' },
      ]}
      form={[
        { key: 'machineId', locked: true, full: true },
        { key: 'value' },
        'readTime',
        { key: 'isReset', hint: t('machines.meter.resetHint') },
        { key: 'resetBase', control: (props) => <ResetBaseField {...props} /> },
        'remark',
      ]}
      detail={['delta', 'source', 'userId', 'readingNo']}
      initial={{ readTime: now() }}
      touches={TOUCHED}
      removeHint={t('machines.meter.removeHint')}
      empty={{ title: t('machines.meter.none'), hint: t('machines.meter.noneHint') }}
    />
  );
}
