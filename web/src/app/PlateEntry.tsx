/** What the code on a plate opens: for who is signed in what was found; for others the report, where the company takes it
 * without an account, and else the sign-in page, from which the way leads back here. */
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Result } from 'antd';
import { useRef, useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { WordsField } from '@/kit/choices';
import { FormPage } from '@/kit/FormPage';
import { PhotosField, SwitchField, TextAreaField, TextField } from '@/kit/fields';
import { useRecordForm } from '@/kit/form';
import { Modal } from '@/kit/overlays';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { moment } from '@/lib/dates';
import { useSession } from '@/session/session';
import '@/screens/equip/plates.css';
import { LanguageSwitch } from './LanguageSwitch';
import { asForm, forgetPhotos, PhotosInPage } from './photosInPage';
import { useTitle } from './useTitle';

interface Values {
  faultTagIds?: string[];
  description: string;
  images?: string[];
  isStop?: number;
  reporterName: string;
  reporterPhone: string;
}

const MOST_PHOTOS = 3;
const PHONE = /^\+?[0-9][0-9 -]{4,28}$/;

export default function Plate() {
  const { token = '' } = useParams();
  const session = useSession();
  if (session) return <Navigate to={`/equip/scan?text=${encodeURIComponent(token)}`} replace />;
  return <Open token={token} />;
}

function Open({ token }: { token: string }) {
  const { pathname, search } = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ['plate', token],
    queryFn: ({ signal }) => api.open('/yuzhu-equip/scan/plate', { token }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton rows={6} />;
  if (!data.isAllowed) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  return <Report token={token} plate={data} />;
}

function Report({ token, plate }: { token: string; plate: Wire<'PlateOfMachine'> }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  useTitle(t('plates.anonymous.title'));
  const [number, setNumber] = useState<string>();
  const [asks, setAsks] = useState<Wire<'PlateQuestion'>>();
  const force = useRef(0);
  const handle = useRecordForm<Values, string | undefined>({
    initial: { isStop: 0 },
    submit: async ({ faultTagIds = [], images = [], ...values }) => {
      const said = { ...values, faultTagIds: faultTagIds.join(), force: force.current };
      const body = images.length > 0 ? asForm(said, images) : said;
      force.current = 0;
      const answer = await api.openPost('/yuzhu-equip/scan/report', body as typeof said, { token });
      if ('needConfirm' in answer) {
        setAsks(answer);
        return undefined;
      }
      return answer.orderNo;
    },
    onDone: (made) => {
      if (made) forgetPhotos();
      setNumber(made);
    },
  });
  if (number) {
    return (
      <main className="x-anonymous">
        <Result
          status="success"
          title={t('plates.anonymous.sent')}
          subTitle={t('plates.anonymous.number', { number })}
          extra={
            <Button
              onClick={() => {
                handle.form.resetFields(['faultTagIds', 'description', 'images', 'isStop']);
                setNumber(undefined);
              }}
            >
              {t('plates.anonymous.another')}
            </Button>
          }
        />
      </main>
    );
  }
  const text = (key: 'description' | 'name' | 'phone') => t(`plates.anonymous.${key}`);
  return (
    <main className="x-anonymous">
      <FormPage
        handle={handle}
        title={plate.machineName}
        note={
          <>
            <div className="x-quiet">
              {[plate.machineCode, plate.location, plate.tenantName].filter(Boolean).join(' · ')}
            </div>
            <Link to="/login" state={{ from: pathname }}>
              {t('plates.anonymous.signIn')}
            </Link>{' '}
            <LanguageSwitch />
          </>
        }
        submitText={t('plates.anonymous.submit')}
      >
        {plate.symptoms.length > 0 && (
          <WordsField
            name="faultTagIds"
            label={t('plates.anonymous.symptoms')}
            options={plate.symptoms.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <TextAreaField
          name="description"
          label={text('description')}
          placeholder={t('plates.anonymous.descriptionHint')}
          message={t('plates.anonymous.short')}
          min={4}
          max={1000}
          required
          full
        />
        <PhotosInPage>
          <PhotosField name="images" label={t('plates.anonymous.photos')} max={MOST_PHOTOS} />
        </PhotosInPage>
        <SwitchField name="isStop" label={t('plates.anonymous.isStop')} />
        <TextField name="reporterName" label={text('name')} max={40} required />
        <TextField
          name="reporterPhone"
          label={text('phone')}
          max={30}
          required
          rules={[{ pattern: PHONE, message: t('plates.anonymous.phoneWrong') }]}
        />
      </FormPage>
      {asks && (
        <Modal
          open
          centered
          title={t('plates.anonymous.alreadyTitle')}
          okText={t('plates.anonymous.anyway')}
          cancelText={t('kit.cancel')}
          onOk={() => {
            setAsks(undefined);
            force.current = 1;
            handle.form.submit();
          }}
          onCancel={() => setAsks(undefined)}
        >
          <Alert type="info" showIcon title={t('plates.anonymous.already', { count: asks.orders.length })} />
          <ul className="x-plain">
            {asks.orders.map(({ reportTime, statusName }) => (
              <li key={reportTime}>
                {t('plates.anonymous.since', { time: moment(reportTime), status: statusName })}
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </main>
  );
}
