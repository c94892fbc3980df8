/** What people did: one line an act. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { logUsual } from '@/api/nouns/logUsual';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLogWords } from '@/screens/shared/logWords';
import { LIST } from '@/screens/shared/orders';
import { useTenantChoice } from '@/screens/shared/tenantChoice';
import { useCanOpen } from '@/session/rights';

/** A line for each field: "Operating status: Running → Disabled". */
function Changes({ text }: { text: string }) {
  return text.split('\n').map((line) => <div key={line}>{line}</div>);
}

export default function UsualLog() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  const words = useLogWords();
  const seesOrders = useCanOpen(LIST);
  return (
    <NounPage
      key={tenantId}
      noun={logUsual}
      fixed={{ tenantId }}
      actions={() => picker}
      name="operation"
      columns={[
        'createTime',
        { key: 'operation', width: 180 },
        { key: 'createBy', width: 120 },
        { key: 'remark', width: 160 },
        { key: 'changes', width: 260 },
        // The act says it already.
        { key: 'businessType', width: 120, extra: true },
        { key: 'businessId', width: 180, extra: true },
        { key: 'remoteIp', width: 130 },
        { key: 'client', width: 90 },
      ]}
      show={{
        createTime: (row) => row.createTime,
        operation: (row) => words.act(row.operation),
        businessType: (row) => words.business(row.businessType) || '-',
        outcome: (row) => words.outcome(row.outcome) || '-',
        client: (row) => words.client(row.client) || '-',
        changes: (row) => (row.changes ? <Changes text={row.changes} /> : '-'),
      }}
      empty={{ title: t('log.empty'), hint: t('log.emptyUsual') }}
      extra={(row) =>
        seesOrders && row.businessType === 'repairorder' && row.businessId ? (
          <p className="x-fact-group">
            <Link to={`${LIST}/${row.businessId}`}>
              <Button>{t('log.order')}</Button>
            </Link>
          </p>
        ) : null
      }
      filters={['operation', 'createBy', 'createTime', 'businessType', 'requestId']}
      form={[]}
      detail={[
        'createTime',
        'operation',
        'createBy',
        'client',
        'remoteIp',
        'businessType',
        'businessId',
        'outcome',
        'remark',
        'changes',
        'requestId',
      ]}
    />
  );
}
