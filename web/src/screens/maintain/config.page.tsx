/** Maintenance standards: the list with cycles, and in the detail the assets with their next dates, parts and items. */
import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { CopyStandard, listed, type Standard, Versions } from '@/screens/shared/standards/parts';
import { useRights } from '@/session/rights';
import './upkeep.css';

const PAGE = '/maintain/config';
const MACHINES = { ref: '/yuzhu-equip/inspectmachine/select' };
const TONES: Readonly<Record<number, Tone>> = { 1: 'quiet', 2: 'active', 3: 'waiting', 4: 'bad' };

export default function MaintenanceStandards() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const [copied, setCopied] = useState<Standard>();
  const add = may('inspectconfig_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(`${PAGE}/new`)}>
      {t('kit.add')}
    </Button>
  );
  return (
    <>
      <NounPage
        noun={listed}
        title={t('upkeep.title')}
        name="configName"
        fixed={{ configType: 2 }}
        columns={[
          { key: 'configName', width: 200 },
          { key: 'configCode', width: 110, nowrap: true },
          { key: 'levelName', width: 110 },
          { key: 'cycleText', width: 190 },
          { key: 'machineCount', width: 90 },
          { key: 'nextDue', width: 120 },
          { key: 'teamName', width: 120 },
          { key: 'estMinutes', extra: true },
          { key: 'typeName', extra: true },
          { key: 'needStop', extra: true },
          { key: 'itemCount', extra: true },
          { key: 'versionNo', extra: true },
          { key: 'remark', extra: true },
        ]}
        show={{
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
        detail={[
          'configCode',
          'levelName',
          'cycleText',
          'anchorName',
          'typeName',
          'leadDays',
          'leadHours',
          'tolerancePercent',
          'teamName',
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
        rowActions={(row) => [
          ...(may('inspectconfig_edit')
            ? [{ key: 'edit', label: t('kit.edit'), onClick: () => navigate(`${PAGE}/${row.id}/edit`) }]
            : []),
          ...(may('inspectconfig_add')
            ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopied(row) }]
            : []),
        ]}
        main={add}
        removeHint={t('upkeep.removeHint')}
        extra={(row) => (
          <>
            <Machines standard={row} />
            <Parts standard={row} />
            <Versions standard={row} />
          </>
        )}
        empty={{ title: t('upkeep.none'), hint: t(add ? 'upkeep.noneHint' : 'upkeep.noneNoRight') }}
      />
      {copied && (
        <CopyStandard
          standard={copied}
          page={PAGE}
          note={t('upkeep.copyNote')}
          onClose={() => setCopied(undefined)}
        />
      )}
    </>
  );
}

interface Planned {
  id: string;
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
                <th>{t('upkeep.machine')}</th>
                <th>{t('upkeep.lastDone')}</th>
                <th>{t('upkeep.nextDue')}</th>
                <th>{t('upkeep.state')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    {row.machineName} <span className="x-quiet">{row.machineCode}</span>
                  </td>
                  <td>{row.lastDoneTime?.slice(0, 10) ?? '-'}</td>
                  <td>
                    <Next row={row} />
                  </td>
                  <td>
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
    row.nextDueHours !== null && `${row.nextDueHours} ${row.meterUnitName}`,
    row.predictedDate && t('upkeep.predicted', { date: row.predictedDate }),
  ];
  return <>{said.filter(Boolean).join(' · ')}</>;
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
            {row.spareName} × {row.qty}
          </li>
        ))}
      </ul>
    </section>
  );
}
