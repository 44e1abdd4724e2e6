# SPDX-License-Identifier: Apache-2.0
"""Who comes to the door of a run and should not be let in, from another host: python3 stranger.py KIND TOKEN.

The handshake is written anew here, from core/launch/handshake.hpp alone.
"""
import hashlib
import hmac
import os
import socket
import struct
import sys

DOOR = ('host1', 29500)
MAGIC = b'rhino\n\x1a\xff'
HELLO_BYTES, PROOF_BYTES = 44, 32
FRAME = struct.Struct('<IIIiQ')  # kind, failed, session, rank, size
REPORT = 7


def take(connection, size):
    text = b''
    while len(text) < size and (part := connection.recv(size - len(text))):
        text += part
    return text


def answer(token, theirs, version=1):
    own = MAGIC + struct.pack('>I', version) + os.urandom(32)
    key = hashlib.blake2b(token.encode(), digest_size=32).digest()
    return own + hmac.new(key, b'a' + theirs + own, hashlib.sha512).digest()[:32], own, key


def let_in(connection, token):
    """Through the handshake; the controller has to prove that it knows the token, too."""
    theirs = take(connection, HELLO_BYTES)
    text, own, key = answer(token, theirs)
    connection.sendall(text)
    proof = take(connection, PROOF_BYTES)
    assert proof == hmac.new(key, b'c' + theirs + own, hashlib.sha512).digest()[:32], 'no proof'


def main(kind, token):
    with socket.create_connection(DOOR, 60) as connection:
        if kind == 'garbage':
            connection.sendall(os.urandom(4096))
        elif kind == 'http':
            connection.sendall(b'GET / HTTP/1.1\r\nHost: host1\r\n\r\n'.ljust(200))
        elif kind == 'torn':
            connection.sendall(answer(token, take(connection, HELLO_BYTES))[0][:50])
            connection.shutdown(socket.SHUT_WR)
        elif kind == 'tomorrow':
            connection.sendall(answer(token, take(connection, HELLO_BYTES), version=2)[0])
        else:
            let_in(connection, token)
            connection.sendall({
                'long': FRAME.pack(REPORT, 0, 0, -1, 1 << 60),
                'torn_report': FRAME.pack(REPORT, 0, 0, -1, 400) + bytes(100),
                'unread': FRAME.pack(REPORT, 0, 0, -1, 400) + b'\xff' * 400,
                'other': FRAME.pack(99, 0, 0, -1, 4) + b'plan',
                'silent': b'',
            }[kind])
            if kind == 'torn_report':
                connection.shutdown(socket.SHUT_WR)
        try:
            while connection.recv(4096):
                pass
        except ConnectionResetError:
            pass
    print('turned away')


if __name__ == '__main__':
    main(*sys.argv[1:])
