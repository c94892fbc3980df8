/** Inspection routes. */
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { RowOf } from '@/api/noun';
import { inspectgroup } from '@/api/nouns/inspectgroup';
import { inspectpoint } from '@/api/nouns/inspectpoint';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { useRights } from '@/session/rights';
import { CopyRoute, useRouteForm } from './routeForm';

const PAGE = '/inspect/group';

export default function Routes() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const form = useRouteForm();
  const [copied, setCopied] = useState<RowOf<typeof inspectgroup>>();
  return (
    <>
      <NounPage
        noun={inspectgroup}
        name="groupName"
        columns={[
          { key: 'groupName', width: 220 },
          { key: 'groupCode', width: 120, nowrap: true },
          { key: 'groupTypeName', width: 120 },
          { key: 'deptName', width: 160 },
          { key: 'leaderName', width: 120 },
          'pointCount',
          'itemCount',
          'estMinutes',
          'orderModeName',
          { key: 'remark', extra: true },
        ]}
        show={{
          groupName: (row) => (
            <span className="x-marks">
              {row.groupName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
            </span>
          ),
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('inspect.keyword') },
          'deptId',
          'groupType',
          'leaderId',
          'isSealed',
        ]}
        form={form}
        detail={['userNames', 'pointCount', 'itemCount']}
        initial={{ groupType: 1, orderMode: 2, needScan: 1, estMinutes: 30, sort: 0 }}
        touches={[[inspectpoint.name]]}
        rowActions={(row) => [
          { key: 'open', label: t('inspect.route.points'), onClick: () => navigate(`${PAGE}/${row.id}`) },
          ...(may('inspectgroup_add')
            ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopied(row) }]
            : []),
        ]}
        removeHint={t('inspect.route.removeHint')}
        extra={(row) => (
          <p className="x-fact-group">
            <Link to={`${PAGE}/${row.id}`}>
              <Button>{t('inspect.route.open')}</Button>
            </Link>
          </p>
        )}
      />
      {copied && (
        <CopyRoute
          id={copied.id}
          name={copied.groupName}
          points={copied.pointCount}
          onDone={(id) => navigate(`${PAGE}/${id}`)}
          onClose={() => setCopied(undefined)}
        />
      )}
    </>
  );
}
