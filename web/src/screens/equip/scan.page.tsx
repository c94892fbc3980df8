/** The scan: the camera, or a code that is typed; then what was found, and what one may do there. */
import { EnvironmentOutlined, ScanOutlined, ToolOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Section } from '@/kit/Section';
import { StateTag } from '@/kit/StateTag';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { Camera, canScan } from '@/screens/shared/camera';
import { CALL, LIST, MACHINES, REPORT, UNFINISHED } from '@/screens/shared/orders';
import { useCan, useCanOpen } from '@/session/rights';
import './plates.css';

const ROUTES = '/inspect/group';
const MOST_ORDERS = 5;

export default function ScanPage() {
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const find = (found: string) => setParams(found ? { text: found } : {});
  return (
    <div className="x-scan-page">{text ? <Result text={text} find={find} /> : <Search find={find} />}</div>
  );
}

function Search({ find, error }: { find: (text: string) => void; error?: unknown }) {
  const { t } = useTranslation();
  const [denied, setDenied] = useState(false);
  const [typed, setTyped] = useState('');
  const sees = canScan() && !denied;
  return (
    <>
      <div className="x-head">
        <h1>{t('plates.scan.title')}</h1>
      </div>
      {Boolean(error) && <ErrorLine error={error} />}
      {sees ? (
        <>
          <p className="x-hint">{t('plates.scan.hint')}</p>
          <Camera onRead={find} onDenied={() => setDenied(true)} />
        </>
      ) : (
        <Alert type="info" showIcon title={t(denied ? 'plates.scan.denied' : 'plates.scan.insecure')} />
      )}
      <form
        className="x-scan-typed"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim()) find(typed.trim());
        }}
      >
        <Input
          aria-label={t('plates.scan.typed')}
          placeholder={t('plates.scan.typedHint')}
          value={typed}
          maxLength={200}
          autoCapitalize="characters"
          enterKeyHint="search"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button htmlType="submit" type={sees ? 'default' : 'primary'}>
          {t('plates.scan.find')}
        </Button>
      </form>
    </>
  );
}

function Result({ text, find }: { text: string; find: (text: string) => void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['scan', text],
    queryFn: () => api.post('/yuzhu-equip/equiptags/scan', { text }),
    // A scan is noted: it is not repeated because a window comes to the front.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error) return <Search find={find} error={error} />;
  if (!data) return <PageSkeleton rows={4} />;
  return (
    <Found found={data}>
      <Button icon={<ScanOutlined />} onClick={() => find('')}>
        {t('plates.scan.again')}
      </Button>
    </Found>
  );
}

function Found({ found, children }: { found: Wire<'Scanned'>; children: ReactNode }) {
  const { t } = useTranslation();
  const { machine, point, tagId, tagName, tagCode, isSealed } = found;
  const mayReport = useCan('repairorder_add');
  const seesOrders = useCanOpen(LIST);
  const seesMachines = useCanOpen(MACHINES);
  const seesRoutes = useCanOpen(ROUTES);
  const mayBind = useCan('equiptags_edit');
  const reports = mayReport && machine?.mayReport === 1 && isSealed === 0;
  return (
    <>
      <div className="x-scan-head">
        <h1>{point?.pointName ?? machine?.machineName ?? tagName}</h1>
        <div className="x-quiet">
          {[
            point && `${point.groupName} · ${point.pointCode}`,
            machine && (point ? `${machine.machineName} ${machine.machineCode}` : machine.machineCode),
            machine?.location,
            !machine && tagCode,
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
        {machine && (
          <p className="x-marks">
            <StateTag dict="machine_run_state" value={machine.runState} text={machine.runStateName} />
          </p>
        )}
      </div>
      {isSealed === 1 && <Alert type="warning" showIcon title={t('plates.scan.sealed')} />}
      {tagId && !machine && <Alert type="info" showIcon title={t('plates.scan.spare')} />}
      {machine && seesOrders && <Orders machineId={machine.id} />}
      <div className="x-scan-acts">
        {reports && (
          <Link to={`${REPORT}?machineId=${machine.id}`}>
            <Button type="primary" icon={<ToolOutlined />}>
              {t('plates.scan.report')}
            </Button>
          </Link>
        )}
        {point && seesRoutes && (
          <Link to={`${ROUTES}/${point.groupId}`}>
            <Button type={reports ? 'default' : 'primary'} icon={<EnvironmentOutlined />}>
              {t('plates.scan.point')}
            </Button>
          </Link>
        )}
        {machine && seesMachines && (
          <Link to={`${MACHINES}/${machine.id}`}>
            <Button>{t('plates.scan.card')}</Button>
          </Link>
        )}
        {tagId && !machine && mayBind && (
          <Link to={`/equip/plate?show=${tagId}`}>
            <Button type="primary">{t('plates.scan.bind')}</Button>
          </Link>
        )}
        {machine && !reports && !seesMachines && !(point && seesRoutes) && (
          <Alert type="warning" showIcon title={t('plates.scan.nothing')} />
        )}
        {children}
      </div>
    </>
  );
}

/** What is under way already: nobody reports it twice, and who repairs it is one tap from it. */
function Orders({ machineId }: { machineId: string }) {
  const { t } = useTranslation();
  const asked = { machineId, status: UNFINISHED, size: MOST_ORDERS };
  const { data, error } = useQuery({
    queryKey: ['orders', 'scan', machineId],
    queryFn: ({ signal }) => api.list(`${CALL}/list`, asked, signal),
  });
  if (error && !data) return <ErrorLine error={error} />;
  if (!data) return null;
  return (
    <Section title={t('plates.scan.open')}>
      {data.records.length === 0 ? (
        <p className="x-quiet">{t('plates.scan.none')}</p>
      ) : (
        <ul className="x-plain">
          {data.records.map((order) => (
            <li key={order.id} className="x-line">
              <div>
                <Link to={`${LIST}/${order.id}`}>{order.title}</Link>
                <div className="x-quiet">{order.orderNo}</div>
              </div>
              <span className="x-line-end">
                <StateTag dict="repair_status" value={order.status} text={order.statusName} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
