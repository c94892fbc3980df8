/** The forced change of a password that somebody else made up; without a session, the way to a new one. */
import { Alert, Button } from 'antd';
import { useRef } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { PasswordForm } from '@/kit/PasswordForm';
import { passwordChanged, useSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { site } from '@/site';
import { LanguageSwitch } from './LanguageSwitch';
import { useTitle } from './useTitle';

export default function EditPassword() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  useTitle(t('app.password.title'));
  // The session changes before a navigation begun here would be carried out.
  const isChanged = useRef(false);
  if (session && !session.mustChange)
    return <Navigate to={isChanged.current ? site.home : '/info/index?tab=2'} replace />;
  return (
    <main className="x-alone">
      <div className="x-alone-language">
        <LanguageSwitch />
      </div>
      <section className="x-panel">
        <h1>{t('app.password.title')}</h1>
        {session ? (
          <>
            <Alert type="info" showIcon title={t('app.password.must')} />
            <PasswordForm
              submitText={t('app.password.change')}
              onDone={() => {
                isChanged.current = true;
                passwordChanged();
              }}
            />
            <Button type="link" onClick={() => signOut().then(() => navigate('/login'))}>
              {t('app.signOut')}
            </Button>
          </>
        ) : (
          <>
            <p>{t('app.password.forgot')}</p>
            <Link to="/login">
              <Button type="primary">{t('app.password.back')}</Button>
            </Link>
          </>
        )}
      </section>
    </main>
  );
}
