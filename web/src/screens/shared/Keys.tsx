/** What the keyboard does. */
import { useTranslation } from '@/i18n';
import { Modal } from '@/kit/overlays';

const KEYS = [
  'search',
  'menu',
  'rows',
  'open',
  'choose',
  'agree',
  'refuse',
  'transfer',
  'send',
  'leave',
  'help',
] as const;
const CAPS: Record<(typeof KEYS)[number], readonly string[]> = {
  search: ['/'],
  menu: ['Ctrl', 'K'],
  rows: ['J', 'K'],
  open: ['Enter'],
  choose: ['X'],
  agree: ['A'],
  refuse: ['R'],
  transfer: ['T'],
  send: ['Ctrl', 'Enter'],
  leave: ['Esc'],
  help: ['?'],
};

export default function Keys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal open centered width={440} title={t('keys.title')} footer={null} onCancel={onClose}>
      <dl className="x-keys">
        {KEYS.map((key) => (
          <div key={key}>
            <dt>
              {CAPS[key].map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${key}`)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
