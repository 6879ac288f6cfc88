// Finds out which client is at the other end of a connection.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

/** True if the connection uses a Unix socket. */
inline bool isLocal(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size) == 0 && address.ss_family == AF_UNIX;
}

/**
 * Returns the bytes that identify the client: an IPv4 address, the first 8 bytes of an IPv6 address, or nothing for a
 * Unix socket.
 */
inline std::string addressOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(fd, reinterpret_cast<sockaddr *>(&address), &size) != 0) return "";
  if (address.ss_family == AF_INET) {
    const auto &ip = reinterpret_cast<const sockaddr_in &>(address).sin_addr;
    return std::string(reinterpret_cast<const char *>(&ip), 4);
  }
  if (address.ss_family != AF_INET6) return "";
  const auto &ip = reinterpret_cast<const sockaddr_in6 &>(address).sin6_addr;
  const auto *bytes = reinterpret_cast<const char *>(&ip);
  return IN6_IS_ADDR_V4MAPPED(&ip) ? std::string(bytes + 12, 4) : std::string(bytes, 8);
}
