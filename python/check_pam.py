"""
Asks PAM about one user, for the authentication backend `pam` (`libs/identity/src/passwords/pam`).

Reads one JSON object from standard input and writes one to standard output:

- `{"ask": "start", "library", "service"}`: whether logins can be checked
- `{"ask": "login", "library", "service", "user", "password"}`: whether the password is right and the account may be used
- `{"ask": "groups", "user"}`: the names of the user's groups

An answer has an `outcome`: `right`, `wrong` or `unavailable`; the last two have a `reason` for the log. `groups` returns `groups`.
"""

import json
import os
import sys

PAM_SUCCESS = 0
PAM_PERM_DENIED = 6
PAM_AUTH_ERR = 7
PAM_USER_UNKNOWN = 10
PAM_MAXTRIES = 11
PAM_NEW_AUTHTOK_REQD = 12
PAM_ACCT_EXPIRED = 13
PAM_CRED_EXPIRED = 16
PAM_CONV_ERR = 19
PAM_AUTHTOK_EXPIRED = 27

# Failures that a user can cause. With any other code, PAM could not decide.
WRONG = {
    PAM_PERM_DENIED,
    PAM_AUTH_ERR,
    PAM_USER_UNKNOWN,
    PAM_MAXTRIES,
    PAM_NEW_AUTHTOK_REQD,
    PAM_ACCT_EXPIRED,
    PAM_CRED_EXPIRED,
    PAM_AUTHTOK_EXPIRED,
}

PAM_USER = 2
PAM_PROMPT_ECHO_OFF = 1
PAM_PROMPT_ECHO_ON = 2
# Otherwise, accounts without a password would accept any password if the stack has `nullok`.
PAM_DISALLOW_NULL_AUTHTOK = 1

# Identifies the processes of one question, even those that have left its session. See `pam-question.ts`.
MARKER = "SVC_PAM_QUESTION"

SERVICE_DIRECTORIES = ("/etc/pam.d", "/usr/lib/pam.d")


class Unavailable(Exception):
    """PAM cannot be used. The text says why and what to do."""


def start(library, service):
    load(library)
    need_service(service)
    return {"outcome": "right"}


def groups(user):
    import grp
    import pwd

    try:
        primary = pwd.getpwnam(user).pw_gid
    except KeyError:
        return {"outcome": "right", "groups": []}
    names = []
    for gid in os.getgrouplist(user, primary):
        try:
            names.append(grp.getgrgid(gid).gr_name)
        except KeyError:
            # A group mapping cannot contain a group without a name.
            continue
    return {"outcome": "right", "groups": names}


def login(library, service, user, password):
    pam = load(library)
    need_service(service)
    return Conversation(pam, password).log_in(service, user)


def load(library):
    try:
        import ctypes
    except ImportError:
        raise Unavailable("python3 lacks the module ctypes; install the full package python3")
    try:
        return declared(ctypes, ctypes.CDLL(library))
    except OSError:
        raise Unavailable("%s is missing; install PAM (package libpam0g or pam)" % library)


def need_service(service):
    # A service without a file of its own gets the rules of `other`, which may accept everybody.
    if not any(os.path.isfile(os.path.join(directory, service)) for directory in SERVICE_DIRECTORIES):
        raise Unavailable("the PAM service %s has no file in %s" % (service, " or ".join(SERVICE_DIRECTORIES)))


def declared(ctypes, library):
    """Loads the library and declares the types of the functions that this program calls."""
    handle = ctypes.c_void_p
    library.pam_start.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(handle)]
    library.pam_authenticate.argtypes = [handle, ctypes.c_int]
    library.pam_acct_mgmt.argtypes = [handle, ctypes.c_int]
    library.pam_get_item.argtypes = [handle, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    library.pam_strerror.argtypes = [handle, ctypes.c_int]
    library.pam_strerror.restype = ctypes.c_char_p
    library.pam_putenv.argtypes = [handle, ctypes.c_char_p]
    library.pam_end.argtypes = [handle, ctypes.c_int]
    return library


class Conversation:
    """Answers questions for a password with the password, and no other questions."""

    def __init__(self, pam, password):
        import ctypes

        self.ctypes = ctypes
        self.pam = pam
        self.password = password.encode("utf-8")
        self.asked = False
        self.asked_for_more = False
        self.libc = ctypes.CDLL(None)
        self.libc.calloc.restype = ctypes.c_void_p
        self.libc.calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
        self.libc.strdup.restype = ctypes.c_void_p
        self.libc.strdup.argtypes = [ctypes.c_char_p]

    def log_in(self, service, user):
        ctypes, pam = self.ctypes, self.pam
        name = user.encode("utf-8")
        handle = ctypes.c_void_p()
        conversation = self.structure()
        code = pam.pam_start(service.encode(), name, ctypes.byref(conversation), ctypes.byref(handle))
        if code != PAM_SUCCESS:
            raise Unavailable("pam_start returned the code %d" % code)
        try:
            # `pam_exec` passes only this environment to its programs.
            pam.pam_putenv(handle, ("%s=%s" % (MARKER, os.environ.get(MARKER, ""))).encode())
            for step in (pam.pam_authenticate, pam.pam_acct_mgmt):
                code = step(handle, PAM_DISALLOW_NULL_AUTHTOK)
                if code != PAM_SUCCESS:
                    return self.refusal(handle, code)
            return self.success(handle, name, service)
        finally:
            pam.pam_end(handle, code)

    def refusal(self, handle, code):
        reason = self.pam.pam_strerror(handle, code).decode("utf-8", "replace")
        if self.asked_for_more:
            raise Unavailable("the PAM service asks for more than a password")
        return {"outcome": "wrong" if code in WRONG else "unavailable", "reason": reason}

    def success(self, handle, name, service):
        if not self.asked:
            raise Unavailable("the PAM service %s does not ask root for a password; choose another one" % service)
        item = self.ctypes.c_char_p()
        self.pam.pam_get_item(handle, PAM_USER, self.ctypes.byref(item))
        if item.value != name:
            # Otherwise the session would have the name as typed, which is not the name of the account.
            return {"outcome": "wrong", "reason": "The account has another name or another spelling"}
        return {"outcome": "right"}

    def structure(self):
        ctypes = self.ctypes

        class Message(ctypes.Structure):
            _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]

        class Response(ctypes.Structure):
            _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]

        messages = ctypes.POINTER(ctypes.POINTER(Message))
        responses = ctypes.POINTER(ctypes.POINTER(Response))
        function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, messages, responses, ctypes.c_void_p)

        class Structure(ctypes.Structure):
            _fields_ = [("function", function), ("data", ctypes.c_void_p)]

        def converse(count, asked, answers, _):
            # PAM frees the answers, so they are allocated in C.
            memory = self.libc.calloc(count, ctypes.sizeof(Response))
            answers[0] = ctypes.cast(memory, ctypes.POINTER(Response))
            for index in range(count):
                style = asked[index].contents.style
                if style == PAM_PROMPT_ECHO_OFF:
                    self.asked = True
                    answers[0][index].text = self.libc.strdup(self.password)
                elif style == PAM_PROMPT_ECHO_ON:
                    self.asked_for_more = True
                    return PAM_CONV_ERR
            return PAM_SUCCESS

        return Structure(function(converse), None)


ASK = {"start": start, "login": login, "groups": groups}


def main():
    # PAM modules may print. The answer must be the only output.
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    ask = ASK[request.pop("ask")]
    try:
        answer = ask(**request)
    except Unavailable as error:
        answer = {"outcome": "unavailable", "reason": str(error)}
    output.write(json.dumps(answer))
    output.close()


if __name__ == "__main__":
    main()
