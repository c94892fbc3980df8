/** Maintenance standards: the list with cycles, and in the detail the assets with their next dates, parts and items. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { grouped } from '@/lib/money';
import { MachineLink } from '@/screens/shared/MachineLink';
import {
  CopyStandard,
  listed,
  type Standard,
  useStandardActs,
  Versions,
} from '@/screens/shared/standards/parts';
import './upkeep.css';

const PAGE = '/maintain/config';
const MACHINES = { ref: '/yuzhu-equip/inspectmachine/select' };
const METER = 2;
const TONES: Readonly<Record<number, Tone>> = { 1: 'quiet', 2: 'active', 3: 'waiting', 4: 'bad' };

export default function MaintenanceStandards() {
  const { t } = useTranslation();
  const acts = useStandardActs(PAGE);
  /** A date; of what goes by the counter alone, how far that still is. */
  const nextOf = (row: Standard) => {
    if (row.nextDue || row.hoursLeft === null) return row.nextDue ?? '-';
    return row.hoursLeft > 0
      ? t('upkeep.meterLeft', { n: grouped(row.hoursLeft), unit: row.meterUnitName })
      : t('upkeep.dueNow');
  };
  return (
    <>
      <NounPage
        noun={listed}
        title={t('upkeep.title')}
        name="configName"
        fixed={{ configType: 2 }}
        columns={[
          { key: 'configName', width: 180 },
          { key: 'configCode', width: 135, nowrap: true },
          { key: 'levelName', width: 155 },
          { key: 'cycleText', width: 230 },
          { key: 'nextDue', width: 130 },
          { key: 'machineCount', width: 100 },
          { key: 'teamName', width: 120 },
          { key: 'estMinutes', extra: true },
          { key: 'typeName', extra: true },
          { key: 'needStop', extra: true },
          { key: 'itemCount', extra: true },
          { key: 'versionNo', extra: true },
          { key: 'remark', extra: true },
        ]}
        show={{
          nextDue: nextOf,
          leadHours: (row) =>
            row.meterUnitName ? `${grouped(row.leadHours ?? 0)} ${row.meterUnitName}` : '-',
          leadDays: (row) => (row.triggerType === METER ? '-' : grouped(row.leadDays ?? 0)),
          tolerancePercent: (row) => `${grouped(row.tolerancePercent ?? 0)} %`,
          configName: (row) => (
            <span className="x-marks">
              {row.configName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
            </span>
          ),
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('inspect.keyword') },
          'level',
          'triggerType',
          { kind: 'reference', name: 'machineId', label: t('upkeep.machine'), source: MACHINES },
          'teamId',
          'typeId',
          'isSealed',
        ]}
        lead={['cycleText', 'nextDue', 'machineCount', 'teamName']}
        detail={[
          'configCode',
          'levelName',
          'anchorName',
          'typeName',
          'leadDays',
          'leadHours',
          'tolerancePercent',
          'userNames',
          'estMinutes',
          'peopleCount',
          'needStop',
          'needCheck',
          'needSign',
          'isSealed',
          'safety',
          'tools',
          'versionNo',
          'remark',
        ]}
        form={[]}
        width={880}
        rowActions={acts.ofRow}
        main={acts.main}
        removeHint={t('upkeep.removeHint')}
        extra={(row) => (
          <>
            <Machines standard={row} />
            <Parts standard={row} />
            <Versions standard={row} />
          </>
        )}
        empty={{ title: t('upkeep.none'), hint: t(acts.main ? 'upkeep.noneHint' : 'upkeep.noneNoRight') }}
      />
      {acts.copied && (
        <CopyStandard
          standard={acts.copied}
          page={PAGE}
          note={t('upkeep.copyNote')}
          onClose={acts.closeCopy}
        />
      )}
    </>
  );
}

interface Planned {
  id: string;
  machineId: string;
  machineName: string;
  machineCode: string;
  meterUnitName: string;
  paused: number;
  lastDoneTime: string | null;
  nextDueDate: string | null;
  nextDueHours: number | null;
  predictedDate: string | null;
  dueState: number;
  dueStateName: string;
  skippedCount: number;
}

/** The assets of a standard with what is due. */
function Machines({ standard }: { standard: Standard }) {
  const { t } = useTranslation();
  const rows = (standard.machines ?? []) as unknown as readonly Planned[];
  return (
    <section className="x-fact-group">
      <div className="x-section-head">
        <h3>{t('upkeep.machines')}</h3>
        <Link to={`/maintain/order?configId=${standard.id}`}>
          <Button>{t('upkeep.orders')}</Button>
        </Link>
      </div>
      {rows.length === 0 && <p className="x-quiet">{t('upkeep.noMachines')}</p>}
      {rows.length > 0 && (
        <div className="x-scroll">
          <table className="x-details-table">
            <thead>
              <tr>
                {(['machine', 'lastDone', 'nextDue', 'state'] as const).map((name) => (
                  <th key={name} className="x-details-cell">
                    {t(`upkeep.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="x-details-cell">
                    <MachineLink order={row} /> <span className="x-quiet x-nowrap">{row.machineCode}</span>
                  </td>
                  <td className="x-details-cell x-nowrap">{row.lastDoneTime?.slice(0, 10) ?? '-'}</td>
                  <td className="x-details-cell">
                    <Next row={row} />
                  </td>
                  <td className="x-details-cell">
                    <span className="x-marks">
                      {row.paused === 1 ? (
                        <ToneTag tone="off">{t('upkeep.paused')}</ToneTag>
                      ) : (
                        <ToneTag tone={TONES[row.dueState] ?? 'quiet'}>{row.dueStateName}</ToneTag>
                      )}
                      {row.skippedCount > 0 && (
                        <span className="x-quiet">{t('upkeep.skipped', { count: row.skippedCount })}</span>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Date and counter at which something is due; when neither is known it is due at once. */
function Next({ row }: { row: Planned }) {
  const { t } = useTranslation();
  if (!row.nextDueDate && row.nextDueHours === null) return <>{t('upkeep.atOnce')}</>;
  const said = [
    row.nextDueDate,
    row.nextDueHours !== null && `${grouped(row.nextDueHours)} ${row.meterUnitName}`,
    row.predictedDate && t('upkeep.predicted', { date: row.predictedDate }),
  ];
  return (
    <>
      {said.filter(Boolean).map((part) => (
        <div key={String(part)} className="x-nowrap">
          {part}
        </div>
      ))}
    </>
  );
}

function Parts({ standard }: { standard: Standard }) {
  const { t } = useTranslation();
  const rows = (standard.parts ?? []) as unknown as readonly { id: string; spareName: string; qty: number }[];
  if (rows.length === 0) return null;
  return (
    <section className="x-fact-group">
      <h3>{t('upkeep.parts')}</h3>
      <ul className="x-upkeep-parts">
        {rows.map((row) => (
          <li key={row.id}>
            {row.spareName} × {grouped(row.qty)}
          </li>
        ))}
      </ul>
    </section>
  );
}
