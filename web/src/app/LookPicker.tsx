/** How the console looks: one of eleven themes, and the colour of what can be done next. */
import { CheckOutlined } from '@ant-design/icons';
import { Button, ColorPicker } from 'antd';
import { useTranslation } from '@/i18n';
import { useStored } from '@/kit/useStored';
import { site } from '@/site';
import { chosen } from './theme';
import { LOOKS } from './themes';

export default function LookPicker() {
  const { t } = useTranslation();
  const choice = useStored(chosen);
  return (
    <div className="x-looks">
      <h2>{t('app.look.theme')}</h2>
      <div className="x-look-list" role="radiogroup" aria-label={t('app.look.theme')}>
        {LOOKS.map((look) => (
          <label key={look.name} className="x-look">
            <input
              type="radio"
              name="look"
              checked={choice.look === look.name}
              onChange={() => chosen.set({ ...choice, look: look.name })}
            />
            <span className="x-look-picture" aria-hidden>
              <span style={{ background: look.side }} />
              <span style={{ background: look.dark ? '#0d1319' : '#f4f6f8' }}>
                <span style={{ background: look.head }} />
              </span>
              {choice.look === look.name && <CheckOutlined />}
            </span>
            {t(`app.look.names.${look.name}`)}
          </label>
        ))}
      </div>
      <h2>{t('app.look.colour')}</h2>
      <div className="x-look-colour">
        <ColorPicker
          value={choice.colour}
          disabledAlpha
          showText
          presets={[
            {
              label: t('app.look.presets'),
              colors: [
                site.colour,
                '#1463d8',
                '#4d5bd6',
                '#0b8a8f',
                '#45b984',
                '#d46b08',
                '#c41d7f',
                '#cf1322',
              ],
            },
          ]}
          onChangeComplete={(colour) => chosen.set({ ...choice, colour: colour.toHexString().slice(0, 7) })}
        />
        {choice.colour !== site.colour && (
          <Button type="link" onClick={() => chosen.set({ ...choice, colour: site.colour })}>
            {t('app.look.reset')}
          </Button>
        )}
      </div>
    </div>
  );
}
