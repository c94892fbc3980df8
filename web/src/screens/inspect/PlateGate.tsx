/** What stands before a point until its plate is scanned: the camera, the reader of NFC tags, or a reason why not. */
import { ScanOutlined, WifiOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { Drawer } from '@/kit/overlays';
import { WIRE } from '@/lib/dates';
import { Camera, canScan } from '@/screens/shared/camera';
import { canReadNfc, EITHER, NFC, type Opened, opens, QR, readNfc } from './scans';
import type { Point } from './walk';

interface PlateGateProps {
  point: Point;
  /** Why the server did not take what was scanned before. */
  refusal: string | undefined;
  onOpen: (opened: Opened) => void;
  onSkip: () => void;
}

type Way = 'camera' | 'nfc' | 'hand';

export function PlateGate({ point, refusal, onOpen, onSkip }: PlateGateProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>();
  const [told, setTold] = useState<string>();
  const { pointName, scanMode } = point;
  // What an older console fetched of the task does not say them.
  const plates: readonly string[] | undefined = point.plates;
  const byCode = scanMode === QR || scanMode === EITHER;
  const byTag = scanMode === NFC || scanMode === EITHER;
  const [codes, tags] = [byCode && canScan(), byTag && canReadNfc()];
  const now = () => dayjs().format(WIRE);
  const close = () => {
    setWay(undefined);
    setTold(undefined);
  };
  const look = async (text: string) => {
    if (await opens(point, text)) onOpen({ scanCode: text.trim().slice(0, 500), scanTime: now() });
    else setTold(t('rounds.scan.other', { name: pointName }));
  };
  const unable = (text: string) => {
    setWay(undefined);
    setTold(text);
  };
  const none = plates?.length === 0;
  const lacks = [
    ...(byCode && !canScan() ? [t('rounds.scan.noCamera')] : []),
    ...(byTag && !canReadNfc() ? [t('rounds.scan.noNfc')] : []),
  ];
  return (
    <div className="x-walk-gate">
      <p className="x-walk-gate-title">{t('rounds.scan.first')}</p>
      <p className="x-quiet">{t(none ? 'rounds.scan.none' : 'rounds.scan.hint')}</p>
      {refusal && <Alert type="error" showIcon title={refusal} />}
      {lacks.length > 0 && !none && <Alert type="info" showIcon title={lacks.join('')} />}
      {told && !way && <Alert type="warning" showIcon title={told} role="alert" />}
      {codes && !none && (
        <Button type="primary" icon={<ScanOutlined />} onClick={() => setWay('camera')}>
          {t('rounds.scan.qr')}
        </Button>
      )}
      {tags && !none && (
        <Button
          type={codes ? 'default' : 'primary'}
          icon={<WifiOutlined rotate={90} />}
          onClick={() => setWay('nfc')}
        >
          {t('rounds.scan.nfc')}
        </Button>
      )}
      <Button type={none || (!codes && !tags) ? 'primary' : 'default'} onClick={() => setWay('hand')}>
        {t('rounds.scan.hand')}
      </Button>
      <Button type="text" onClick={onSkip}>
        {t('rounds.task.skip')}
      </Button>
      {(way === 'camera' || way === 'nfc') && (
        <Drawer
          open
          title={t('rounds.scan.title', { name: pointName })}
          placement="bottom"
          size="92dvh"
          onClose={close}
        >
          {way === 'camera' ? (
            <>
              <p className="x-hint">{t('rounds.scan.aim')}</p>
              <Camera onRead={look} onDenied={() => unable(t('rounds.scan.cameraDenied'))} />
            </>
          ) : (
            <NfcTag onRead={look} onDenied={() => unable(t('rounds.scan.nfcDenied'))} />
          )}
          {told && (
            <p role="alert" className="x-walk-error">
              {told}
            </p>
          )}
        </Drawer>
      )}
      {way === 'hand' && (
        <FormDrawer<{ reason: string }>
          title={t('rounds.scan.handTitle', { name: pointName })}
          size="small"
          note={t('rounds.scan.handNote')}
          initial={none ? { reason: t('rounds.scan.noneReason') } : {}}
          submit={async ({ reason }) => onOpen({ noScan: { reason: reason.trim() }, scanTime: now() })}
          submitText={t('rounds.scan.handDo')}
          onClose={() => setWay(undefined)}
        >
          <TextAreaField
            name="reason"
            label={t('rounds.scan.reason')}
            required
            min={4}
            max={200}
            message={t('rounds.scan.reasonShort')}
          />
        </FormDrawer>
      )}
    </div>
  );
}

/** Waits for a tag that is held to the phone. */
function NfcTag({ onRead, onDenied }: { onRead: (uid: string) => void; onDenied: () => void }) {
  const { t } = useTranslation();
  const read = useEffectEvent(onRead);
  const fail = useEffectEvent(onDenied);
  useEffect(() => {
    const ends = new AbortController();
    readNfc((uid) => read(uid), ends.signal).catch(() => {
      if (!ends.signal.aborted) fail();
    });
    return () => ends.abort();
  }, []);
  return <p className="x-walk-gate-title">{t('rounds.scan.hold')}</p>;
}
